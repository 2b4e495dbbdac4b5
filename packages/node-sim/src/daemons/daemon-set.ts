import { delay } from '@cro/clock';
import { call } from '../api.ts';
import { createPod, make, makeNamespace, removePod, runPod, unreadyPod } from '../pods/pod-client.ts';
import { podName } from '../pods/pod-template.ts';
import { failed, retry, type RetryHost } from '../retry.ts';
import { daemonSetObject, daemonSetStatus, RESTARTED_AT, type DaemonSetSpec } from './daemon-set-spec.ts';
import { follow, type Seen, type WatchedApi } from './follow.ts';

/** What a DaemonSet needs. */
export interface DaemonSetOptions {
  readonly api: WatchedApi;
  readonly host: RetryHost;
  readonly spec: DaemonSetSpec;
  /** From a pod's end to its successor's being ready, in milliseconds. */
  readonly restartMs: number;
  /** A pod of a node is ready. */
  readonly ready: (node: string) => Promise<void>;
  /** A pod of a node has ended. */
  readonly ended: (node: string) => Promise<void>;
}

/** The pod of a node. */
interface Member {
  readonly node: string;
  /** How many pods it had before. */
  restarts: number;
  /** `held`: its pod is there, and does not get ready. */
  state: 'starting' | 'ready' | 'held';
  /** What `restartedAt` was when it was made. */
  template: string;
  /** Whether the pod that it has now has come by the watch: only then its absence is its end. */
  seen: boolean;
}

/** The controller of a DaemonSet, and the kubelets as far as its pods go. */
export class DaemonSet {
  readonly #options: DaemonSetOptions;
  readonly #members = new Map<string, Member>();
  /** Nodes on which no pod gets ready. */
  readonly #held = new Set<string>();
  #template = '';
  #generation = 0;
  #told: Promise<void> = Promise.resolve();
  #rollsOut = false;
  #began: Promise<void> | undefined;

  constructor(options: DaemonSetOptions) {
    this.#options = options;
  }

  /** Gives a node its pod, which is ready at once. */
  async addNode(node: string): Promise<void> {
    this.#began ??= this.#begin();
    await this.#began;
    const member: Member = { node, restarts: 0, state: 'starting', template: this.#template, seen: false };
    this.#members.set(node, member);
    await this.#create(member);
    await this.#run(member);
  }

  /** Takes a node's pod away. */
  async removeNode(node: string): Promise<void> {
    const member = this.#members.get(node);
    if (member === undefined) return;
    this.#members.delete(node);
    await this.#remove(member);
    await this.#tell();
  }

  /** How many times a node's pod came anew. */
  restarts(node: string): number {
    return this.#members.get(node)?.restarts ?? 0;
  }

  /** The node whose pod is called so, once its containers run. */
  nodeOf(pod: string): string | undefined {
    const member = [...this.#members.values()].find((one) => this.#nameOf(one) === pod);
    return member === undefined || member.state === 'starting' ? undefined : member.node;
  }

  /** Keeps a node's pod from being ready, and those that come after it, or lets them be ready again. */
  async setReady(node: string, ready: boolean): Promise<void> {
    const member = this.#members.get(node);
    if (member === undefined) throw new Error(`DaemonSet ${this.#options.spec.name} has no pod on node ${node}`);
    if (ready) {
      this.#held.delete(node);
      if (member.state === 'held') await this.#run(member);
      return;
    }
    this.#held.add(node);
    if (member.state !== 'ready') return;
    const { api, host, spec } = this.#options;
    member.state = 'held';
    await unreadyPod(api, host, spec, this.#nameOf(member));
    await this.#tell();
  }

  async #begin(): Promise<void> {
    const { api, host, spec } = this.#options;
    const namespaced = `namespaces/${encodeURIComponent(spec.namespace)}`;
    const sets = `/apis/apps/v1/${namespaced}/daemonsets`;
    await makeNamespace(api, host, spec.namespace);
    await make(api, host, sets, daemonSetObject(spec));
    void follow(api, host, `/api/v1/${namespaced}/pods`, (objects) => {
      this.#lookAtPods(objects);
    });
    void follow(api, host, sets, (objects) => {
      this.#lookAtSet(objects.get(spec.name));
    });
  }

  #lookAtPods(pods: ReadonlyMap<string, Seen>): void {
    for (const member of this.#members.values()) {
      const pod = pods.get(this.#nameOf(member));
      member.seen ||= pod !== undefined;
      if (member.state === 'starting' || !member.seen) continue;
      // A kubelet ends the containers of a pod that somebody deletes, and lets it go.
      if (pod === undefined) this.#start(this.#renew(member));
      else if (pod.metadata.deletionTimestamp !== undefined) this.#start(this.#replace(member));
    }
  }

  #lookAtSet(set: Seen | undefined): void {
    const template = set?.spec?.template?.metadata?.annotations?.[RESTARTED_AT] ?? '';
    const { generation = 0 } = set?.metadata ?? {};
    const isNew = template !== this.#template;
    this.#template = template;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#start(this.#tell());
    }
    if (isNew && !this.#rollsOut) this.#start(this.#rollOut());
  }

  /** One node after the other, as `maxUnavailable: 1` has it: a pod that does not get ready keeps all others from their turn. */
  async #rollOut(): Promise<void> {
    this.#rollsOut = true;
    for (let next = this.#outdated(); next !== undefined; next = this.#outdated()) await this.#replace(next);
    this.#rollsOut = false;
  }

  #outdated(): Member | undefined {
    const members = [...this.#members.values()];
    const outdated = members.filter(({ template }) => template !== this.#template);
    // What is not ready is replaced without waiting for a turn.
    const held = outdated.find(({ state }) => state === 'held');
    return held ?? (members.every(({ state }) => state === 'ready') ? outdated[0] : undefined);
  }

  async #replace(member: Member): Promise<void> {
    member.state = 'starting';
    await this.#remove(member);
    await this.#renew(member);
  }

  async #renew(member: Member): Promise<void> {
    const { host, restartMs, ended } = this.#options;
    const restarts = member.restarts + 1;
    Object.assign(member, { state: 'starting', restarts, template: this.#template, seen: false });
    await ended(member.node);
    await this.#create(member);
    await this.#tell();
    if (restartMs > 0) await delay(host.clock, restartMs, host.signal);
    if (this.#members.get(member.node) !== member) return;
    if (this.#held.has(member.node)) member.state = 'held';
    else await this.#run(member);
  }

  async #run(member: Member): Promise<void> {
    const { api, host, spec, ready } = this.#options;
    await runPod(api, host, spec, this.#nameOf(member));
    member.state = 'ready';
    await ready(member.node);
    await this.#tell();
    // It was restarted again while it started, or others have waited for it.
    if (this.#outdated() !== undefined && !this.#rollsOut) this.#start(this.#rollOut());
  }

  async #create(member: Member): Promise<void> {
    const { api, host, spec } = this.#options;
    const { node, template } = member;
    const annotations = template === '' ? {} : { [RESTARTED_AT]: template };
    await createPod(api, host, spec, { name: this.#nameOf(member), node, annotations });
  }

  async #remove(member: Member): Promise<void> {
    const { api, host, spec } = this.#options;
    await removePod(api, host, spec, this.#nameOf(member));
  }

  /** One after the other, each with what is so by then: of two at a time the older one could arrive last, and would stay. */
  #tell(): Promise<void> {
    this.#told = this.#told.then(() => this.#writeStatus());
    return this.#told;
  }

  async #writeStatus(): Promise<void> {
    const { api, host, spec } = this.#options;
    const members = [...this.#members.values()];
    const path = `/apis/apps/v1/namespaces/${encodeURIComponent(spec.namespace)}/daemonsets/${encodeURIComponent(spec.name)}/status`;
    const value = {
      status: daemonSetStatus({
        generation: this.#generation,
        nodes: members.length,
        ready: members.filter(({ state }) => state === 'ready').length,
        upToDate: members.filter(({ template }) => template === this.#template).length,
      }),
    };
    const body = { type: 'application/merge-patch+json', value };
    await retry<undefined>(host, `tell the status of DaemonSet ${spec.name}`, async () => {
      const answer = await call(api, 'PATCH', path, body);
      return answer.tag === 'ok' ? { tag: 'done', value: undefined } : failed(answer);
    });
  }

  /** `<DaemonSet>-<node>-<number>`: no two pods of a node have one name. */
  #nameOf({ node, restarts }: Member): string {
    return `${podName(this.#options.spec, node)}-${restarts}`;
  }

  /** What is refused, the report has. */
  #start(work: Promise<void>): void {
    work.catch(() => undefined);
  }
}
