import type { Condition } from '@cro/crd-types';

/** The part of a status that says whether something works. */
export interface ToldStatus {
  readonly state: string;
  readonly error?: string;
  readonly conditions?: readonly Condition[];
}

/**
 * Which failure of an object was told last. One that is tried again and fails again in the same way is no news, although
 * the status did not show it while it was tried: an object that waits for an empty pool would tell of it with every try.
 */
export class Told {
  #error: string | undefined;

  /** The failure in a status that was just saved, when it is to be told. */
  news(before: ToldStatus | undefined, after: ToldStatus | undefined): string | undefined {
    const error = after?.error;
    const works = after?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
    if (works || (before?.state ?? '') !== (after?.state ?? '')) this.#error = undefined;
    if (error === undefined || error === this.#error) return undefined;
    this.#error = error;
    return error === before?.error ? undefined : error;
  }
}
