import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that stands for the root of a node, on which scripts run in the machine's own shell. */
export class FakeRoot {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<FakeRoot> {
    return new FakeRoot(await mkdtemp(join(tmpdir(), 'cro-root-')));
  }

  async file(path: string, text: string | Buffer): Promise<void> {
    await mkdir(dirname(this.#at(path)), { recursive: true });
    await writeFile(this.#at(path), text);
  }

  /** A program, as a shell script. */
  async program(path: string, text: string): Promise<void> {
    await this.file(path, `#!/bin/sh\n${text}\n`);
    await chmod(this.#at(path), 0o755);
  }

  /** A GPU of the driver, as the driver writes its information file. */
  async gpu(address: string, uuid: string, minor: number): Promise<void> {
    await this.file(
      `/proc/driver/nvidia/gpus/${address}/information`,
      `Model: \t\t NVIDIA L4\nIRQ:   \t\t 16\nGPU UUID: \t ${uuid}\nVideo BIOS: \t 95.04.65.00.13\nBus Type: \t PCIe\nDMA Size: \t 47 bits\nDMA Mask: \t 0x7fffffffffff\nBus Location: \t ${address}\nDevice Minor: \t ${minor}\nGPU Excluded:\t No\n`,
    );
  }

  /** A process with open files. */
  async process(pid: number, name: string, ...open: readonly string[]): Promise<void> {
    await this.file(`/proc/${pid}/comm`, `${name}\n`);
    await mkdir(this.#at(`/proc/${pid}/fd`), { recursive: true });
    for (const [fd, target] of open.entries()) await symlink(target, this.#at(`/proc/${pid}/fd/${fd}`));
  }

  /** Whether there is a file. */
  has(path: string): boolean {
    return existsSync(this.#at(path));
  }

  /** What a file says; empty where there is none. */
  text(path: string): string {
    return this.has(path) ? readFileSync(this.#at(path), 'utf8') : '';
  }

  /** Runs a script as a container would: what it calls by path is in this root where it is a node's, else the machine's own. */
  run(script: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const text = script.replaceAll(
      /(\/proc|\/sys|\/var\/run|\/run\/nvidia|\/usr\/bin\/nvidia|\/usr\/sbin\/rmmod|(?<!driver)\/dev\/nvidia)/g,
      `${this.folder}$1`,
    );
    // The kernel's own paths are what the script has to see in answers.
    const plain = (answer: string) => answer.replaceAll(this.folder, '');
    return new Promise((resolve) => {
      execFile('/bin/sh', ['-c', text, 'cro', ...args], (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
        resolve({ code, stdout: plain(stdout), stderr: plain(stderr) });
      });
    });
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  #at(path: string): string {
    return join(this.folder, path);
  }
}
