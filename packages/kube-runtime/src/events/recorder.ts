import type { Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import type { ApiError } from '../client/outcome.ts';
import type { ObjectRef } from '../kind.ts';
import { silentLog, type Log } from '../log.ts';
import { events, occurrenceKey, type EventSubject, type EventType, type Occurrence } from './event-kind.ts';
import { RecentMap } from './recent-map.ts';

/** What a recorder needs. */
export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** A number in [0, 1), for the names of events. */
  readonly random: () => number;
  /** Who tells: `source.component` and `reportingComponent`. */
  readonly component: string;
  /** Which one of them: `reportingInstance`, such as the pod's name. Default: the component. */
  readonly instance?: string;
  /** Where events about cluster-scoped objects go. Default `default`, as in client-go. */
  readonly namespace?: string;
  readonly log?: Log;
}

interface Pending {
  readonly occurrence: Occurrence;
  readonly firstAt: number;
  lastAt: number;
  count: number;
}

/** Events that wait to be sent. What comes on top of that is dropped, counted and logged. */
const LONGEST_QUEUE = 1_000;

/** Sent events that are remembered, to count their like. */
const REMEMBERED = 4_096;

/** The server keeps an event for an hour by default; older ones are told anew. */
const MEMORY_MS = 55 * 60_000;

/** The API's limits for `message` and `reason`, in characters. */
const LONGEST_MESSAGE = 1_024;
const LONGEST_REASON = 128;

/** What could break a line, steer a terminal, or turn a text around: an event may tell what somebody else has said. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** So that the object's name with its suffix is still a valid name (253 characters). */
const LONGEST_NAME = 240;

/**
 * Tells people what happened, as core/v1 Events. Nothing here waits or throws: events are sent one after the other in the
 * background, equal ones are counted up by a patch, and what cannot be sent is logged.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #log: Log;
  readonly #pending = new Map<string, Pending>();
  readonly #sent: RecentMap<{ readonly ref: ObjectRef; readonly count: number }>;
  #dropped = 0;
  #sending: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    this.#sent = new RecentMap(options.clock, REMEMBERED, MEMORY_MS);
  }

  /** Tells that something happened to an object. `reason`: one word in CamelCase, for machines. */
  event(about: EventSubject, type: EventType, reason: string, message: string): void {
    const occurrence = {
      about,
      type,
      reason: shorten(reason, LONGEST_REASON),
      message: shorten(message, LONGEST_MESSAGE),
    };
    const key = occurrenceKey(occurrence);
    const now = this.#options.clock.now();
    const pending = this.#pending.get(key);
    if (pending !== undefined) {
      pending.count += 1;
      pending.lastAt = now;
    } else if (this.#pending.size >= LONGEST_QUEUE) {
      this.#dropped += 1;
    } else {
      this.#pending.set(key, { occurrence, firstAt: now, lastAt: now, count: 1 });
      this.#sending ??= this.#sendAll();
    }
  }

  /** Resolves when everything that was told so far has been sent or given up. */
  async flush(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
  }

  async #sendAll(): Promise<void> {
    // Begins after the caller's turn, so that equal events of one moment are one.
    await Promise.resolve();
    for (;;) {
      const [next] = this.#pending;
      if (next === undefined) break;
      this.#pending.delete(next[0]);
      await this.#send(next[0], next[1]);
    }
    if (this.#dropped > 0) this.#log.warn('events were dropped, too many at once', { count: this.#dropped });
    this.#dropped = 0;
    this.#sending = undefined;
  }

  async #send(key: string, pending: Pending): Promise<void> {
    const sent = this.#sent.get(key);
    if (sent !== undefined) {
      const count = sent.count + pending.count;
      const value = { count, lastTimestamp: timestamp(pending.lastAt) };
      const outcome = await this.#options.client.patch(events, sent.ref, { type: 'merge', value });
      if (outcome.tag === 'done') {
        this.#sent.set(key, { ref: sent.ref, count });
        return;
      }
      if (outcome.tag !== 'notFound') {
        this.#failed(pending, 'error' in outcome ? outcome.error : undefined);
        return;
      }
      // The server has thrown it away meanwhile.
    }
    await this.#create(key, pending);
  }

  async #create(key: string, pending: Pending): Promise<void> {
    const body = this.#bodyOf(pending);
    const outcome = await this.#options.client.create(events, body);
    if (outcome.tag === 'done') this.#sent.set(key, { ref: body.metadata, count: pending.count });
    else this.#failed(pending, 'error' in outcome ? outcome.error : undefined);
  }

  #failed({ occurrence }: Pending, error: ApiError | undefined): void {
    const { about, reason } = occurrence;
    this.#log.warn('an event was not sent', {
      kind: about.kind,
      name: about.name,
      reason,
      error: error?.message ?? 'refused',
    });
  }

  #bodyOf({ occurrence, firstAt, lastAt, count }: Pending) {
    const { component, instance = component, namespace: fallback = 'default', random } = this.#options;
    const { about, type, reason, message } = occurrence;
    const namespace = about.namespace ?? fallback;
    // As client-go names them: the object's name, and something that makes it unique.
    const suffix = Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(12, '0');
    return {
      metadata: { name: `${about.name.slice(0, LONGEST_NAME)}.${suffix}`, namespace },
      involvedObject: { ...about },
      type,
      reason,
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: instance,
      firstTimestamp: timestamp(firstAt),
      lastTimestamp: timestamp(lastAt),
      count,
    };
  }
}

function shorten(text: string, longest: number): string {
  // One that is far too long is cut before it is looked through, too.
  const line = text
    .slice(0, longest * 4)
    .replace(UNPRINTABLE, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 3)}...`;
}

/** meta/v1 `Time`: RFC 3339 in whole seconds. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
