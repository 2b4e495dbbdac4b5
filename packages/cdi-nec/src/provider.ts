import { byOperation, exactlyOnce, type Provider, type ProviderHost } from '@cro/cdi-core';
import { cdimOf, TIMEOUTS } from './cdim.ts';
import { choose } from './choose.ts';
import type { NecConfig } from './config.ts';
import { find } from './find.ts';
import { inventory, list } from './list.ts';
import { Locator } from './locate.ts';
import { look } from './look.ts';
import { decodeNotes } from './notes.ts';
import { poll } from './poll.ts';
import { search } from './search.ts';
import { submit } from './submit.ts';

/** Name in tickets and in `status.fabric`. */
export const NAME = 'nec-cdim';

/** Makes the provider of one CDIM. Its lane is the whole manager: layout-apply does one apply at a time, for everybody. */
export function createNec(host: ProviderHost, config: NecConfig): Provider {
  const cdim = cdimOf(host, config);
  const locator = new Locator(host.clock, cdim.directory, config);
  const strategies = byOperation({ provider: NAME, newId: host.newId }, host.clock, {
    decodeNotes,
    choose: (request, context) => choose(cdim, request, context),
    find: (request, context) => find(cdim, request, context),
    submit: (target, context) => submit(cdim, target, context),
    poll: (operation, target, context) => poll(cdim, operation, target, context),
    search: (target, context) => search(cdim, target, context),
    look: (target, context) => look(cdim, target, context),
    lagMs: config.viewLagSeconds * 1_000,
  });
  warn(host, config);
  return {
    name: NAME,
    lane: 'manager',
    settleSeconds: config.settleSeconds,
    timeouts: TIMEOUTS,
    locate: (node, context) => locator.locate(node, context),
    ...exactlyOnce(strategies.attach, strategies.detach),
    list: (machines, context) => list(cdim, machines, context),
    inventory: (query, context) => inventory(cdim, query, context),
  };
}

function warn({ log }: ProviderHost, { provisionalGpuUuid, token, ...urls }: NecConfig): void {
  if (provisionalGpuUuid !== undefined) {
    log.warn(
      'NEC_PROVISIONAL_GPU_UUID is set: every device gets this UUID, which fits a laboratory with one GPU only',
      {
        provisionalGpuUuid,
      },
    );
  }
  const { configurationManager, layoutApply, hwControl = '', exporter = '' } = urls;
  const plain = [configurationManager, layoutApply, hwControl, exporter].filter((url) => url.startsWith('http://'));
  if (token !== undefined && plain.length > 0) {
    log.warn('the token for CDIM is sent without TLS: anybody on the way can read it', { urls: plain });
  }
}
