import type { Reply } from '../core/http.ts';
import { effectsOf, type Effect } from './effect.ts';

/** Takes out of a JSON answer what the effects of its call leave out, and puts in what they set. */
export function shapeReply(reply: Reply, effects: readonly Effect[]): Reply {
  if (reply.tag !== 'json') return reply;
  const omitted = new Set(effectsOf(effects, 'omitFields').flatMap((effect) => effect.fields));
  const emptied = new Set(effectsOf(effects, 'emptyLists').flatMap((effect) => effect.fields));
  const added = effectsOf(effects, 'setFields').reduce((all, { fields }) => ({ ...all, ...fields }), {});
  const body = shape(reply.body, omitted, emptied);
  return { ...reply, body: isObject(body) ? { ...body, ...added } : body };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shape(value: unknown, omitted: ReadonlySet<string>, emptied: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => shape(item, omitted, emptied));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !omitted.has(key))
      .map(([key, item]) => [key, emptied.has(key) && Array.isArray(item) ? [] : shape(item, omitted, emptied)]),
  );
}
