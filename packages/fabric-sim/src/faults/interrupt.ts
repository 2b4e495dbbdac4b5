import { delay, type Clock } from '@cro/clock';
import { ConnectionLost, type Reply } from '../core/http.ts';
import type { Effect, Moment } from './effect.ts';

/** Lets the effects of one moment strike. Answers a reply where one of them takes the place of the fabric's own. */
export async function interrupt(clock: Clock, effects: readonly Effect[], moment: Moment): Promise<Reply | undefined> {
  for (const effect of effects) {
    switch (effect.tag) {
      case 'delay':
        if (momentOf(effect) === moment) await delay(clock, effect.ms);
        break;
      case 'hang':
        if (momentOf(effect) === moment) await forever();
        break;
      case 'loseReply':
        if (momentOf(effect) === moment) throw new ConnectionLost();
        break;
      case 'answer':
        if (momentOf(effect) === moment) return replyOf(effect);
        break;
      case 'omitFields':
      case 'emptyLists':
      case 'setFields':
      case 'arrive':
      case 'surplus':
      case 'exhausted':
      case 'applyEnds':
      case 'endTask':
      case 'resizeFails':
      case 'unlistedFor':
      case 'wrongDevice':
      case 'badToken':
        break;
      default:
        effect satisfies never;
    }
  }
  return undefined;
}

function momentOf(effect: { readonly when?: Moment }): Moment {
  return effect.when ?? 'beforeChange';
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}

function replyOf({ status, body, headers = {} }: Extract<Effect, { tag: 'answer' }>): Reply {
  if ('json' in body) return { tag: 'json', status, body: body.json, headers };
  return { tag: 'html', status, body: body.html, headers };
}
