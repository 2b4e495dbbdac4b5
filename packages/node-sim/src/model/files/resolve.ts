import type { Entries, Entry } from './entry.ts';

/** A chain of links longer than this is a loop: the kernel's limit. */
const MOST_LINKS = 40;

/** What `normalized` has to do something about. */
const UNUSUAL = /\/(?:\/|\.{0,2}(?:\/|$))|^[^/]|^$/u;

/** An absolute path without `.`, `..` and double slashes. */
export function normalized(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The path behind all links on the way, and behind the last part where `last` says so. Undefined in a loop. */
export function behindLinks(entries: Entries, path: string, last: boolean): string | undefined {
  const whole = normalized(path);
  // What stands under its own path has no link on the way: nothing stands below one.
  const there = entries.get(whole);
  if (there !== undefined && (there.tag !== 'link' || !last)) return whole;
  let rest = whole.split('/').slice(1);
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
