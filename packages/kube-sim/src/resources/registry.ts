import { apiVersionOf, type ResourceType } from './resource-type.ts';

/** The resources that are served now. Versions of one group stand in the order of preference. */
export class Registry {
  #types: readonly ResourceType[] = [];
  readonly #byPath = new Map<string, ResourceType>();

  get all(): readonly ResourceType[] {
    return this.#types;
  }

  /** The resource at `group`, `version` and `plural`. */
  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** The first served version of a resource. */
  findAny(group: string, plural: string): ResourceType | undefined {
    return this.#types.find((type) => type.group === group && type.plural === plural);
  }

  /** The resource of an object's apiVersion and kind. */
  findKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.#types.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  }

  /** Group names, the core group ('') first. */
  groups(): readonly string[] {
    return [...new Set(this.#types.map((type) => type.group))].sort();
  }

  /** The versions of a group, the preferred one first. */
  versions(group: string): readonly string[] {
    return [...new Set(this.#types.filter((type) => type.group === group).map((type) => type.version))];
  }

  /** The resources of one version of a group. */
  resources(group: string, version: string): readonly ResourceType[] {
    return this.#types.filter((type) => type.group === group && type.version === version);
  }

  /** Puts `types` in the place of all that are now served for this group and plural. */
  replace(group: string, plural: string, types: readonly ResourceType[]): void {
    const rest = this.#types.filter((type) => type.group !== group || type.plural !== plural);
    this.#set([...rest, ...types]);
  }

  /** Serves `types` in addition. */
  add(types: readonly ResourceType[]): void {
    this.#set([...this.#types, ...types]);
  }

  #set(types: readonly ResourceType[]): void {
    this.#types = types;
    this.#byPath.clear();
    for (const type of types) this.#byPath.set(`${type.group}/${type.version}/${type.plural}`, type);
  }
}
