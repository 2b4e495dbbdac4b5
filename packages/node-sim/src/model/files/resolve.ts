import type { Entries, Entry } from './entry.ts';

/** A chain of links longer than this is a loop: the kernel's limit. */
const MOST_LINKS = 40;

/** An absolute path without `.`, `..` and double slashes. */
export function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The path behind all links on the way, and behind the last part where `last` says so. Undefined in a loop. */
export function behindLinks(entries: Entries, path: string, last: boolean): string | undefined {
  let rest = normalized(path).split('/').slice(1);
  let done = '';
  for (let links = 0; rest.length > 0;) {
    const [part = '', ...further] = rest;
    const here = `${done}/${part}`;
    const entry: Entry | undefined = entries.get(here);
    if (entry?.tag !== 'link' || (further.length === 0 && !last)) {
      done = part === '' ? done : here;
      rest = further;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) return undefined;
    const target = entry.target.startsWith('/') ? entry.target : `${done}/${entry.target}`;
    rest = [...normalized(target).split('/').slice(1), ...further];
    done = '';
  }
  return done === '' ? '/' : done;
}
