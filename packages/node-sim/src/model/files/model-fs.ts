import type { FileContent, IFileSystem, RmOptions } from 'just-bash/browser';
import type { Entries, Entry } from './entry.ts';
import { behindLinks, normalized } from './resolve.ts';

type FsStat = Awaited<ReturnType<IFileSystem['stat']>>;
type DirentEntry = Awaited<ReturnType<NonNullable<IFileSystem['readdirWithFileTypes']>>>[number];
type File = Extract<Entry, { tag: 'file' }>;

const FILE_MODE = 0o644;
const PROGRAM_MODE = 0o755;
const EPOCH = new Date(0);
const UTF8 = new TextEncoder();

/**
 * The files of a container, made of what the model says at the moment of each call. What a script writes elsewhere is kept, as
 * long as the container lives. Errors are those of the kernel, by the words that the shell looks for.
 */
export class ModelFs implements IFileSystem {
  readonly #model: () => Entries;
  readonly #written = new Map<string, string>();

  constructor(model: () => Entries) {
    this.#model = model;
  }

  async readFile(path: string): Promise<string> {
    return this.#file(path, 'open').text;
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return UTF8.encode(this.#file(path, 'open').text);
  }

  async writeFile(path: string, content: FileContent): Promise<void> {
    await this.#write(path, () => textOf(content));
  }

  async appendFile(path: string, content: FileContent): Promise<void> {
    await this.#write(path, (before) => before + textOf(content));
  }

  async exists(path: string): Promise<boolean> {
    return this.#find(path, true) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    return this.#stat(path, true);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#stat(path, false);
  }

  async readdir(path: string): Promise<string[]> {
    return this.#names(path);
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    return this.#names(path).map((name) => {
      const tag = this.#find(`${path}/${name}`, false)?.entry.tag;
      return { name, isFile: tag === 'file', isDirectory: tag === 'folder', isSymbolicLink: tag === 'link' };
    });
  }

  async readlink(path: string): Promise<string> {
    const found = this.#find(path, false);
    if (found === undefined) throw failure('ENOENT', 'no such file or directory', 'readlink', path);
    if (found.entry.tag !== 'link') throw failure('EINVAL', 'invalid argument', 'readlink', path);
    return found.entry.target;
  }

  async realpath(path: string): Promise<string> {
    const found = this.#find(path, true);
    if (found === undefined) throw failure('ENOENT', 'no such file or directory', 'realpath', path);
    return found.path;
  }

  async rm(path: string, options: RmOptions = {}): Promise<void> {
    const found = this.#find(path, false);
    if (found === undefined) {
      if (options.force === true) return;
      throw failure('ENOENT', 'no such file or directory', 'rm', path);
    }
    if (this.#written.delete(found.path)) return;
    if (found.entry.tag !== 'file' || found.entry.remove === undefined) {
      throw failure('EPERM', 'operation not permitted', 'rm', path);
    }
    found.entry.remove();
  }

  resolvePath(base: string, path: string): string {
    return normalized(path.startsWith('/') ? path : `${base}/${path}`);
  }

  getAllPaths(): string[] {
    return [...this.#entries().keys()];
  }

  mkdir = (path: string) => unsupported('mkdir', path);
  cp = (path: string) => unsupported('cp', path);
  mv = (path: string) => unsupported('mv', path);
  chmod = (path: string) => unsupported('chmod', path);
  symlink = (_target: string, path: string) => unsupported('symlink', path);
  link = (path: string) => unsupported('link', path);
  utimes = (path: string) => unsupported('utimes', path);

  async #write(path: string, change: (before: string) => string): Promise<void> {
    const at = behindLinks(this.#entries(), path, true) ?? path;
    const found = this.#find(path, true);
    if (found === undefined || this.#written.has(at)) {
      const folder = this.#find(at.slice(0, at.lastIndexOf('/')), true);
      if (folder?.entry.tag !== 'folder') throw failure('ENOENT', 'no such file or directory', 'open', path);
      this.#written.set(at, change(this.#written.get(at) ?? ''));
      return;
    }
    const file = this.#file(path, 'open');
    if (file.write === undefined) throw failure('EACCES', 'permission denied', 'open', path);
    await file.write(change(''));
  }

  #file(path: string, doing: string): File {
    const found = this.#find(path, true);
    if (found === undefined) throw failure('ENOENT', 'no such file or directory', doing, path);
    if (found.entry.tag !== 'file') throw failure('EISDIR', 'illegal operation on a directory', doing, path);
    return found.entry;
  }

  #stat(path: string, last: boolean): FsStat {
    const found = this.#find(path, last);
    if (found === undefined) throw failure('ENOENT', 'no such file or directory', 'stat', path);
    const { entry } = found;
    const mode = entry.tag === 'file' && entry.executable !== true ? FILE_MODE : PROGRAM_MODE;
    return {
      isFile: entry.tag === 'file',
      isDirectory: entry.tag === 'folder',
      isSymbolicLink: entry.tag === 'link',
      mode,
      size: entry.tag === 'file' ? entry.text.length : 0,
      mtime: EPOCH,
      identity: found.path,
    };
  }

  #names(path: string): string[] {
    const found = this.#find(path, true);
    if (found === undefined) throw failure('ENOENT', 'no such file or directory', 'scandir', path);
    if (found.entry.tag !== 'folder') throw failure('ENOTDIR', 'not a directory', 'scandir', path);
    const start = found.path === '/' ? '/' : `${found.path}/`;
    const below = [...this.#entries().keys()].filter((one) => one.startsWith(start) && one !== start);
    return below.map((one) => one.slice(start.length)).filter((name) => name !== '' && !name.includes('/'));
  }

  #find(path: string, last: boolean): { readonly path: string; readonly entry: Entry } | undefined {
    const entries = this.#entries();
    const at = behindLinks(entries, path, last);
    const entry = at === undefined ? undefined : entries.get(at);
    return at === undefined || entry === undefined ? undefined : { path: at, entry };
  }

  #entries(): Entries {
    // Asked for with every path that a shell looks at: what was not written to needs no copy.
    if (this.#written.size === 0) return this.#model();
    const entries = new Map(this.#model());
    for (const [path, text] of this.#written) entries.set(path, { tag: 'file', text });
    return entries;
  }
}

function textOf(content: FileContent): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

function failure(code: string, words: string, doing: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${words}, ${doing} '${path}'`), { code });
}

function unsupported(doing: string, path: string): Promise<never> {
  return Promise.reject(failure('EROFS', 'read-only file system', doing, path));
}
