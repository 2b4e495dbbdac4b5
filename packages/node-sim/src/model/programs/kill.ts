import type { Host } from '../host/host.ts';
import { complained, said, type Program } from './program.ts';

/** `kill`: any signal ends a process here, but 0, which only asks whether there is one. */
export function kill(host: Host): Program {
  return ({ args }) => {
    const [first = '', ...rest] = args;
    const [signal, pids] = first.startsWith('-') ? [first.slice(1), rest] : ['TERM', args];
    let missing = '';
    for (const word of pids.filter((pid) => pid !== '--')) {
      const pid = Number(word);
      const there = signal === '0' ? host.processes.get(pid) !== undefined : host.kill(pid);
      if (!there) missing += `kill: (${word}) - No such process\n`;
    }
    return missing === '' ? said('') : complained(1, missing);
  };
}
