import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from './operator.ts';
import type { Project } from './project.ts';

/** A copy of the project in which something is wrong. Its dependencies are those of the project, in a folder above. */
export class Bad {
  readonly #project: Project;
  readonly #folder: string;

  constructor(project: Project, name: string) {
    this.#project = project;
    this.#folder = join(project.folder, 'bad', name);
  }

  async manifest(changes: object): Promise<Environment> {
    const env = await this.#copy('dist', 'package.json');
    const file = join(this.#folder, 'package.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...manifest, ...changes }));
    return env;
  }

  unbuilt(): Promise<Environment> {
    return this.#copy('package.json');
  }

  async code(text: string): Promise<Environment> {
    const env = await this.#copy('dist', 'package.json');
    await writeFile(join(this.#folder, 'dist', 'index.js'), text);
    return env;
  }

  async replace(before: string, after: string): Promise<Environment> {
    const text = await readFile(join(this.#project.folder, 'dist', 'index.js'), 'utf8');
    if (!text.includes(before)) throw new Error(`dist/index.js has no ${before}`);
    return this.code(text.replace(before, after));
  }

  async config(value: object): Promise<Environment> {
    await mkdir(this.#folder, { recursive: true });
    const file = join(this.#folder, 'provider.yaml');
    await writeFile(file, JSON.stringify(value));
    return { CDI_PROVIDER_CONFIG: file };
  }

  async #copy(...parts: readonly string[]): Promise<Environment> {
    for (const part of parts) await cp(join(this.#project.folder, part), join(this.#folder, part), { recursive: true });
    return { CDI_PROVIDER_PATH: this.#folder };
  }
}
