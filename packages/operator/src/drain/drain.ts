import type { ComposableResource } from '@cro/crd-types';
import { handoverOf } from '@cro/state-machines';
import type { Services } from '../services.ts';

/** How many names a line of the log lists. */
const NAMES_IN_LOG = 20;

/**
 * The end of an operator's work before another one takes over, the Go operator above all: what is open is ended, nothing new is
 * started, and it is told when nothing is open any more. The machines do the former (`draining` in what they know); here is
 * the count.
 */
export class Drain {
  readonly #services: Pick<Services, 'caches' | 'log'>;
  readonly #unsaved: () => number;
  readonly #open = new Map<string, string>();
  #finish: () => void = () => undefined;
  #begun = false;
  #isOver = false;
  /** Resolves when nothing is open any more. */
  readonly finished: Promise<void>;

  /** `unsaved`: how many requests run, or have ended without a decision on their outcome. */
  constructor(services: Pick<Services, 'caches' | 'log'>, unsaved: () => number) {
    this.#services = services;
    this.#unsaved = unsaved;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Everything has been read: takes stock. */
  begin(): void {
    const { caches, log } = this.#services;
    this.#begun = true;
    log.info('draining: open operations are ended, and nothing new is started');
    for (const { metadata } of caches.resources.list()) this.#note(metadata.name);
    this.#lookForEnd();
  }

  /** A pass over an object is over. */
  passed(name: string): void {
    if (!this.#begun) return;
    this.#note(name);
    this.#lookForEnd();
  }

  /** How many objects cannot be handed over yet. */
  get open(): number {
    return this.#open.size;
  }

  /** Why it is not over, in a line; `undefined` when it is. */
  get problem(): string | undefined {
    const [first] = this.#open;
    if (first === undefined) return undefined;
    const others = this.#open.size === 1 ? '' : `, and ${this.#open.size - 1} more`;
    return `draining: ${first[0]} is open: ${first[1]}${others}`;
  }

  #note(name: string): void {
    const { caches, log } = this.#services;
    const resource = caches.resources.get(name);
    const handover = resource && handoverOf(resource);
    if (handover?.tag === 'open') {
      if (this.#open.get(name) !== handover.why)
        log.info('draining: a resource is open', { resource: name, why: handover.why });
      this.#open.set(name, handover.why);
    } else if (this.#open.delete(name)) {
      log.info('draining: a resource can be handed over', { resource: name, left: this.#open.size });
    }
  }

  #lookForEnd(): void {
    if (this.#isOver || this.#open.size > 0 || this.#unsaved() > 0) return;
    this.#isOver = true;
    const resources = this.#services.caches.resources.list();
    const withoutDevice = resources.filter(isStillToAttach).map(({ metadata }) => metadata.name);
    this.#services.log.info('drained: nothing is open, another operator can take over', {
      resources: resources.length,
      // The next operator attaches for these, as this one would have.
      withoutDevice: withoutDevice.length,
      names: withoutDevice.slice(0, NAMES_IN_LOG),
    });
    this.#finish();
  }
}

function isStillToAttach(resource: ComposableResource): boolean {
  return resource.metadata.deletionTimestamp === undefined && handoverOf(resource).tag === 'withoutDevice';
}
