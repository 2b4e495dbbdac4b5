import type { Failure, FailureKind } from '@cro/crd-types';
import { accessTo, type Access, type Cache, type KubeClient, type Kind, type WriteFailure } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import type { ResourceSlice } from '../resource-slice.ts';
import { placeOf, type DevicePlace } from './device-place.ts';
import type { Fence, FenceOutcome, FenceRequest } from './fence.ts';
import type { AccessLog, RuleAccess } from './rule-access.ts';
import { isOurs, ownerOfRule, taintRuleFor, taintRuleKind, taintRuleName, type TaintRule } from './taint-rule.ts';

/** What fencing by rules needs. */
export interface DeviceTaintFenceOptions {
  readonly client: KubeClient;
  /** The ResourceSlices, watched with `sliceIndexes`. */
  readonly slices: Cache<ResourceSlice>;
  readonly access: RuleAccess;
  readonly log: AccessLog;
}

/** What fencing asks of the API server. A role names no version. */
export const fencingAccess: Access = accessTo(taintRuleKind('v1'), ['get', 'create', 'delete'], {
  without: 'new pods cannot be kept from devices that leave, which then stay, unless CRO_WITHOUT_FENCE says otherwise',
  need: 'optional',
});

/** A call found that its version of the rules is not served any more. */
interface Unserved {
  readonly tag: 'unserved';
}
type Attempt = FenceOutcome | Unserved;

const DONE = { tag: 'done' } as const;
const UNSERVED: Unserved = { tag: 'unserved' };

/**
 * Fences by DeviceTaintRules (KEP-5055): one rule for each device, named after its ComposableResource as the Go operator
 * does, so that whoever comes after a crash, or after the Go operator, finds it without a list or a watch.
 */
export class DeviceTaintFence implements Fence {
  readonly #options: DeviceTaintFenceOptions;

  constructor(options: DeviceTaintFenceOptions) {
    this.#options = options;
  }

  /** One create where nothing is there yet. */
  async fence(request: FenceRequest): Promise<FenceOutcome> {
    const { node, deviceId } = request;
    const place = deviceId === '' ? undefined : placeOf(this.#options.slices, node, deviceId);
    if (place === undefined) return DONE;
    return this.#inServedVersion((kind) => this.#put(kind, request, place));
  }

  /** One read, and one delete where there is a rule. */
  async unfence({ resource }: FenceRequest): Promise<NodeOutcome> {
    const outcome = await this.#inServedVersion((kind) => this.#remove(kind, taintRuleName(resource.name)));
    if (outcome.tag !== 'unavailable') return outcome;
    // What cannot be reached cannot be removed, and our own rules go with their owner: the device must not wait for it.
    if (outcome.reason === 'FenceForbidden') {
      this.#options.log.warn('a DeviceTaintRule may be left behind', {
        rule: taintRuleName(resource.name),
        reason: outcome.message,
      });
    }
    return DONE;
  }

  /** A version may go away between discovery and a call (an upgrade): then discovery is read once more. */
  async #inServedVersion(act: (kind: Kind<TaintRule>) => Promise<Attempt>): Promise<FenceOutcome> {
    const { access } = this.#options;
    for (const last of [false, true]) {
      const served = await access.current();
      if (served.tag !== 'served') return served;
      const outcome = await act(served.kind);
      if (outcome.tag !== 'unserved') return outcome;
      access.versionGone();
      if (last) break;
    }
    return failed('Unreachable', 'discovery names a version of DeviceTaintRule that the API server does not serve');
  }

  async #put(kind: Kind<TaintRule>, request: FenceRequest, place: DevicePlace): Promise<Attempt> {
    const name = taintRuleName(request.resource.name);
    const present = await this.#create(kind, request, place);
    if (present !== 'exists') return present;
    const found = await this.#options.client.get(kind, { name });
    if (found.tag === 'failed') return this.#refused('reading', name, found.error);
    if (found.tag === 'notFound') return found.unserved === true ? UNSERVED : goneMeanwhile(name);
    switch (ownerOfRule(found.object, request.deviceId, place)) {
      case 'fits':
        return DONE;
      case 'foreign':
        return failed('Conflict', `DeviceTaintRule ${name} is there already and is not this operator's: remove it`);
      case 'outdated': {
        const removed = await this.#delete(kind, found.object);
        if (removed.tag !== 'done') return removed;
        const created = await this.#create(kind, request, place);
        return created === 'exists' ? goneMeanwhile(name) : created;
      }
    }
  }

  async #create(kind: Kind<TaintRule>, request: FenceRequest, place: DevicePlace): Promise<Attempt | 'exists'> {
    const { client, access } = this.#options;
    const rule = taintRuleFor(request, place);
    const outcome = await client.create(kind, rule);
    switch (outcome.tag) {
      case 'done':
        access.written();
        return DONE;
      case 'alreadyExists':
        return 'exists';
      default:
        return this.#notWritten('creating', rule.metadata.name, outcome);
    }
  }

  async #remove(kind: Kind<TaintRule>, name: string): Promise<Attempt> {
    const found = await this.#options.client.get(kind, { name });
    if (found.tag === 'failed') return this.#refused('reading', name, found.error);
    if (found.tag === 'notFound') return found.unserved === true ? UNSERVED : DONE;
    return isOurs(found.object.spec) ? this.#delete(kind, found.object) : DONE;
  }

  async #delete(kind: Kind<TaintRule>, { metadata: { name, uid } }: TaintRule): Promise<Attempt> {
    const outcome = await this.#options.client.delete(kind, { name }, { uid });
    if (outcome.tag === 'done' || (outcome.tag === 'notFound' && outcome.unserved !== true)) return DONE;
    return this.#notWritten('deleting', name, outcome);
  }

  #notWritten(doing: string, name: string, outcome: WriteFailure): Attempt {
    switch (outcome.tag) {
      case 'notFound':
        return UNSERVED;
      case 'conflict':
        return goneMeanwhile(name);
      case 'refused':
      case 'unknown':
        return this.#refused(doing, name, outcome.error);
    }
  }

  #refused(doing: string, name: string, error: { readonly status: number; readonly message: string }): FenceOutcome {
    if (error.status === 403) return this.#options.access.forbidden(error.message);
    const kind = error.status === 400 || error.status === 422 ? 'Rejected' : 'Unreachable';
    return failed(kind, `${doing} DeviceTaintRule ${name} failed: ${error.message}`);
  }
}

function goneMeanwhile(name: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return failed('Busy', `somebody else changed DeviceTaintRule ${name} at the same time: looking again`);
}

function failed(kind: FailureKind, message: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { kind, message } };
}
