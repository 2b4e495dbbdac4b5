interface Module {
  readonly size: number;
  /** Modules that it uses. */
  readonly uses: readonly string[];
}

/** NVIDIA's modules, each after what it uses. */
const KNOWN: Readonly<Record<string, Module>> = {
  nvidia: { size: 104_165_376, uses: [] },
  nvidia_modeset: { size: 1_814_528, uses: ['nvidia'] },
  nvidia_drm: { size: 131_072, uses: ['nvidia_modeset'] },
  nvidia_uvm: { size: 2_076_672, uses: ['nvidia'] },
};

/** What came of unloading. `inUse`: it is needed. `unknown`: there is no such module. */
export type UnloadOutcome = 'done' | 'inUse' | 'unknown';

/** A module that is loaded. */
export interface LoadedModule {
  readonly name: string;
  readonly size: number;
  /** Loaded modules that use it. */
  readonly usedBy: readonly string[];
}

/** Which of NVIDIA's kernel modules are loaded. */
export class KernelModules {
  readonly #loaded = new Set<string>();
  readonly #inUse: (name: string) => boolean;

  /** `inUse` says whether something beside other modules needs one. */
  constructor(inUse: (name: string) => boolean) {
    this.#inUse = inUse;
  }

  has(name: string): boolean {
    return this.#loaded.has(name);
  }

  /** Loads a module and what it uses. False when there is no such module. */
  load(name: string): boolean {
    const module = KNOWN[name];
    if (module === undefined) return false;
    for (const used of module.uses) this.load(used);
    this.#loaded.add(name);
    return true;
  }

  /** Unloads a module, and with it what it used where nothing else needs that, unless `alone`. One that is not loaded is fine. */
  unload(name: string, alone = false): UnloadOutcome {
    const module = KNOWN[name];
    if (module === undefined) return 'unknown';
    if (!this.#loaded.has(name)) return 'done';
    if (this.#usersOf(name).length > 0 || this.#inUse(name)) return 'inUse';
    this.#loaded.delete(name);
    for (const used of alone ? [] : module.uses) this.unload(used);
    return 'done';
  }

  /** As it is before anything was loaded. */
  unloadAll(): void {
    this.#loaded.clear();
  }

  /** What is loaded, users first, as lsmod lists it. */
  list(): readonly LoadedModule[] {
    return Object.entries(KNOWN)
      .filter(([name]) => this.#loaded.has(name))
      .map(([name, { size }]) => ({ name, size, usedBy: this.#usersOf(name) }))
      .reverse();
  }

  #usersOf(name: string): readonly string[] {
    return [...this.#loaded].filter((other) => KNOWN[other]?.uses.includes(name));
  }
}
