import { type JsonObject, type KubeSim, type KubeSimOptions, type SimResponse, createKubeSim } from '../src/index.ts';
import { parseJson, isObject } from '../src/base/json.ts';

/** A clock that a test moves by hand. */
export class ManualClock {
  time = Date.UTC(2026, 0, 1);
  #timers: { due: number; callback: () => void }[] = [];
  now(): number {
    return this.time;
  }
  monotonic(): number {
    return this.time;
  }
  after(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.time + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  /** Moves time on, calling what falls due, in order. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = end;
  }
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export const widgetCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'State', type: 'string', jsonPath: '.status.state' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A Widget is something that is made in sizes.',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 0, description: 'How big it is.' },
                  colour: { type: 'string', enum: ['red', 'blue'], default: 'red' },
                  code: { type: 'string', pattern: '^[A-Z]+$', maxLength: 5, minLength: 2 },
                  parts: {
                    type: 'array',
                    maxItems: 3,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, weight: { type: 'integer', default: 1 } },
                    },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  port: { 'x-kubernetes-int-or-string': true },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  low: { type: 'integer' },
                  high: { type: 'integer' },
                  fixed: {
                    type: 'string',
                    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'fixed is immutable' }],
                  },
                },
                'x-kubernetes-validations': [
                  {
                    rule: '!has(self.low) || !has(self.high) || self.low <= self.high',
                    message: 'low must not be above high',
                  },
                ],
              },
              status: {
                type: 'object',
                properties: {
                  state: { type: 'string' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status'],
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

export const WIDGETS = '/apis/example.com/v1/widgets';

export function widget(name: string, spec: object = { size: 1 }, metadata: object = {}): object {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...metadata }, spec };
}

/** A server with widgets, a clock, and a short way to ask. */
export interface Bench {
  readonly clock: ManualClock;
  readonly sim: KubeSim;
  ask(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>;
  /** Opens a watch. */
  watch(path: string, headers?: Record<string, string>): Promise<Watch>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly text: string;
}

export interface Watch {
  readonly events: { readonly type: string; readonly object: JsonObject }[];
  readonly ended: Promise<void>;
  /** The n-th event; waits for it. */
  event(index: number): Promise<{ readonly type: string; readonly object: JsonObject }>;
  stop(): void;
}

export function createBench(options: Partial<KubeSimOptions> = {}): Bench {
  const clock = new ManualClock();
  const sim = createKubeSim({ clock, random: seeded(1), crds: [widgetCrd], ...options });
  const send = (
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
    signal = new AbortController().signal,
  ): Promise<SimResponse> => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    return sim.handle({ method, path, headers, ...(text === undefined ? {} : { body: text }) }, signal);
  };
  return {
    clock,
    sim,
    ask: async (method, path, body, headers) => {
      const response = await send(method, path, body, headers);
      const text = typeof response.body === 'string' ? response.body : await readAll(response.body);
      const value = parseJson(text);
      return { status: response.status, headers: response.headers, body: isObject(value) ? value : {}, text };
    },
    watch: (path, headers) => openWatch(send, path, headers),
  };
}

async function openWatch(
  send: (
    method: string,
    path: string,
    body: undefined,
    headers: Record<string, string> | undefined,
    signal: AbortSignal,
  ) => Promise<SimResponse>,
  path: string,
  headers: Record<string, string> | undefined,
): Promise<Watch> {
  const controller = new AbortController();
  const response = await send('GET', path, undefined, headers, controller.signal);
  if (typeof response.body === 'string') throw new Error(`no watch: ${response.body}`);
  const { body } = response;
  const events: { type: string; object: JsonObject }[] = [];
  let wake: () => void = () => undefined;
  const read = async () => {
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) events.push(JSON.parse(line) as { type: string; object: JsonObject });
      wake();
    }
  };
  const ended = read();
  ended.catch(() => undefined);
  return {
    events,
    ended,
    event: async (index) => {
      for (;;) {
        const event = events[index];
        if (event !== undefined) return event;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    stop: () => {
      controller.abort();
    },
  };
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
