import type { Host } from '../host/host.ts';
import { complained, said, type Program } from './program.ts';

/** `lsmod`, `modprobe`, `rmmod` and `modinfo`, as kmod has them. */
export function kernelPrograms(host: Host): Readonly<Record<string, Program>> {
  return { lsmod: lsmod(host), modprobe: modprobe(host), rmmod: rmmod(host), modinfo: modinfo(host) };
}

function lsmod(host: Host): Program {
  return () => {
    const lines = host.modules
      .list()
      .map(
        ({ name, size, usedBy }) =>
          `${name.padEnd(19)} ${String(size).padStart(8)}  ${usedBy.length} ${usedBy.join(',')}`,
      );
    return said(['Module                  Size  Used by', ...lines].map((line) => `${line.trimEnd()}\n`).join(''));
  };
}

function modprobe(host: Host): Program {
  return ({ args }) => {
    const remove = args.includes('-r') || args.includes('--remove');
    for (const written of args.filter((word) => !word.startsWith('-'))) {
      const name = written.replaceAll('-', '_');
      const outcome = remove ? host.unload(name) : load(host, name);
      if (outcome === 'inUse') return complained(1, `modprobe: FATAL: Module ${name} is in use.\n`);
      if (outcome === 'unknown') return complained(1, `modprobe: FATAL: Module ${written} not found.\n`);
    }
    return said('');
  };
}

/** Unlike `modprobe -r` it leaves what the module used where it is, and minds a module that is not loaded. */
function rmmod(host: Host): Program {
  return ({ args }) => {
    for (const name of args.map((word) => word.replaceAll('-', '_'))) {
      if (!host.modules.has(name)) return complained(1, `rmmod: ERROR: Module ${name} is not currently loaded\n`);
      if (host.unload(name, 'alone') === 'inUse') return complained(1, `rmmod: ERROR: Module ${name} is in use\n`);
    }
    return said('');
  };
}

function load(host: Host, name: string): 'done' | 'unknown' {
  return host.driver !== 'none' && host.modules.load(name) ? 'done' : 'unknown';
}

/** The module's file is where the driver is. `-F <field>` asks for one field. */
function modinfo(host: Host): Program {
  return ({ args }) => {
    const [asked, words] = args[0] === '-F' ? [args[1], args.slice(2)] : [undefined, args];
    const [name = ''] = words;
    if (host.driver === 'none' || name !== 'nvidia')
      return complained(1, `modinfo: ERROR: Module ${name} not found.\n`);
    const fields = { filename: '/lib/modules/6.8.0/updates/dkms/nvidia.ko', version: host.driverVersion };
    const lines = Object.entries(fields).map(([field, value]) => {
      if (asked === undefined) return `${`${field}:`.padEnd(16)}${value}\n`;
      return field === asked ? `${value}\n` : '';
    });
    return said(lines.join(''));
  };
}
