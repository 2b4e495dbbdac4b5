import type { Host } from '../host/host.ts';
import { complained, said, type Program } from './program.ts';

/** `nvidia-persistenced`: goes into the background. One that runs already is left alone. */
export function persistenced(host: Host): Program {
  return ({ args }) => {
    host.look();
    const started = host.startPersistenced(args.includes('--persistence-mode') ? 'on' : 'asItIs');
    const words = 'nvidia-persistenced failed to initialize. Check syslog for more details.\n';
    return started ? said('') : complained(1, words);
  };
}
