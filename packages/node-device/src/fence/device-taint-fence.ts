import type { Failure, FailureKind } from '@cro/crd-types';
import { accessTo, type Access, type Cache, type KubeClient, type Kind, type WriteFailure } from '@cro/kube-runtime';
import type { ResourceSlice } from '../resource-slice.ts';
import { placesOf } from './device-place.ts';
import type { Fence, FenceOutcome, FenceRequest, UnfenceOutcome } from './fence.ts';
import { furtherRuleNames, ownerOfRule, taintRuleName, taintRulesFor, type NewTaintRule } from './new-rule.ts';
import type { RuleAccess } from './rule-access.ts';
import { isOurs, taintRuleKind, type TaintRule } from './taint-rule.ts';

/** What fencing by rules needs. */
export interface DeviceTaintFenceOptions {
  readonly client: KubeClient;
  /** The ResourceSlices, watched with `sliceIndexes`. */
  readonly slices: Cache<ResourceSlice>;
  readonly access: RuleAccess;
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
/** The rule is there, as this call has made it. */
interface Made {
  readonly tag: 'done';
  readonly made: TaintRule;
}
type Attempt = FenceOutcome | Made | Unserved;

const DONE = { tag: 'done' } as const;
const UNSERVED: Unserved = { tag: 'unserved' };

/**
 * Fences by DeviceTaintRules (KEP-5055): a rule for each device, named after its ComposableResource as the Go operator
 * does, so that whoever comes after a crash, or after the Go operator, finds it without a list or a watch. A device that
 * several drivers or pools show has a rule for each, and the first tells of the others.
 */
export class DeviceTaintFence implements Fence {
  readonly #options: DeviceTaintFenceOptions;
  /** Rules without others that this process has made, by the name of their resource: as long as nobody has changed one, it goes without a read. */
  readonly #made = new Map<string, TaintRule>();

  constructor(options: DeviceTaintFenceOptions) {
    this.#options = options;
  }

  /** One create, for each place, where nothing is there yet. */
  async fence(request: FenceRequest): Promise<FenceOutcome> {
    const { node, deviceId, resource } = request;
    this.#made.delete(resource.name);
    const places = deviceId === '' ? [] : placesOf(this.#options.slices, node, deviceId);
    const rules = taintRulesFor(request, places);
    for (const rule of rules) {
      const outcome = await this.#inServedVersion((kind) => this.#put(kind, rule));
      if (outcome.tag !== 'done') return outcome;
      if (rules.length === 1 && 'made' in outcome) this.#made.set(resource.name, outcome.made);
    }
    return DONE;
  }

  /** One delete for each rule that is there, after one read unless this process has made the only one. */
  async unfence({ resource: { name } }: FenceRequest): Promise<UnfenceOutcome> {
    const outcome = await this.#inServedVersion((kind) => this.#remove(kind, name));
    if (outcome.tag !== 'unavailable') return outcome;
    // What is not served cannot be there. What is not allowed must not keep the device: our own rules go with their owner.
    return outcome.reason === 'FenceNotServed'
      ? DONE
      : { tag: 'leftBehind', message: leftBehind(name, outcome.message) };
  }

  /** A version may go away between discovery and a call (an upgrade): then discovery is read once more. */
  async #inServedVersion(act: (kind: Kind<TaintRule>) => Promise<Attempt>): Promise<FenceOutcome | Made> {
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

  async #put(kind: Kind<TaintRule>, rule: NewTaintRule): Promise<Attempt> {
    const { name } = rule.metadata;
    const present = await this.#create(kind, rule);
    if (present !== 'exists') return present;
    const found = await this.#get(kind, name);
    if (found === undefined) return goneMeanwhile(name);
    if ('tag' in found) return found;
    switch (ownerOfRule(found, rule)) {
      case 'fits':
        return DONE;
      case 'foreign':
        return failed('Conflict', `DeviceTaintRule ${name} is there already and is not this operator's: remove it`);
      case 'outdated': {
        const removed = await this.#delete(kind, found);
        if (removed.tag !== 'done') return removed;
        const created = await this.#create(kind, rule);
        return created === 'exists' ? goneMeanwhile(name) : created;
      }
    }
  }

  async #create(kind: Kind<TaintRule>, { metadata, spec }: NewTaintRule): Promise<Attempt | 'exists'> {
    const { client, access } = this.#options;
    const outcome = await client.create(kind, { metadata, spec });
    switch (outcome.tag) {
      case 'done':
        access.written();
        return { tag: 'done', made: outcome.object };
      case 'alreadyExists':
        return 'exists';
      default:
        return this.#notWritten('creating', metadata.name, outcome);
    }
  }

  /** The rule that tells of the others goes last. */
  async #remove(kind: Kind<TaintRule>, resource: string): Promise<Attempt> {
    const made = this.#made.get(resource);
    this.#made.delete(resource);
    if (made !== undefined && (await this.#deleteUnchanged(kind, made))) return DONE;
    const first = await this.#get(kind, taintRuleName(resource));
    if (first === undefined) return DONE;
    if ('tag' in first) return first;
    if (!isOurs(first.spec)) return DONE;
    for (const name of furtherRuleNames(resource, first.further)) {
      const found = await this.#get(kind, name);
      if (found === undefined) continue;
      const outcome = 'tag' in found ? found : isOurs(found.spec) ? await this.#delete(kind, found) : DONE;
      if (outcome.tag !== 'done') return outcome;
    }
    return this.#delete(kind, first);
  }

  /** `undefined`: there is none of that name. */
  async #get(kind: Kind<TaintRule>, name: string): Promise<TaintRule | Attempt | undefined> {
    const found = await this.#options.client.get(kind, { name });
    switch (found.tag) {
      case 'found':
        return found.object;
      case 'notFound':
        return found.unserved === true ? UNSERVED : undefined;
      case 'failed':
        return this.#refused('reading', name, found.error);
    }
  }

  /** Whether it is gone now. If it is not, somebody has changed it, or it is not served or allowed any more: a read tells. */
  async #deleteUnchanged(
    kind: Kind<TaintRule>,
    { metadata: { name, uid, resourceVersion } }: TaintRule,
  ): Promise<boolean> {
    const outcome = await this.#options.client.delete(kind, { name }, { uid, resourceVersion });
    return outcome.tag === 'done';
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

function leftBehind(resource: string, why: string): string {
  const rule = taintRuleName(resource);
  return `DeviceTaintRule ${rule} may be left behind: ${why}. It goes with its resource; one that the Go operator has made stays until somebody deletes it`;
}

function goneMeanwhile(name: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return failed('Busy', `somebody else changed DeviceTaintRule ${name} at the same time: looking again`);
}

function failed(kind: FailureKind, message: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { kind, message } };
}
