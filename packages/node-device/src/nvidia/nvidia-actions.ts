import { cleanText } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Exec } from '@cro/kube-runtime/exec';
import { identifyAmong, type IdentityQuestion } from '../identity.ts';
import type { WarningLog } from '../no-node-actions.ts';
import type { DrainRequest, NodeActions, NodeDeviceRef, WantedVisibility } from '../node-actions.ts';
import type { NodeCluster } from '../node-cluster.ts';
import type { IdentifyOutcome, LoadOutcome, NodeOutcome } from '../outcomes.ts';
import { drainGpu } from './drain.ts';
import { DriverCheck } from './driver-check.ts';
import { listOn, listWithPciSerialsOn } from './list.ts';
import { findGpu } from './find-gpu.ts';
import { JointWork } from './joint-work.ts';
import { readLoadOn, type NodeLoad } from './load.ts';
import type { NodeLooks } from './node-looks.ts';
import type { Look } from './parse/looks.ts';
import { PersistenceDaemons } from './persistence-daemon.ts';
import { GpuUuid } from './patterns.ts';
import { inTime, Session, type Failed } from './session.ts';
import { Turns } from './turns.ts';

/** What NVIDIA's node actions need. */
export interface NvidiaActionsOptions {
  readonly exec: Exec;
  readonly cluster: NodeCluster;
  readonly clock: Clock;
  readonly log: WarningLog;
  /** What is seen on the nodes is noted there. */
  readonly looks: NodeLooks;
  /**
   * Where the cluster sees devices: in the ResourceSlices of a DRA driver, or, with a device plugin, only where the operator
   * itself looks.
   */
  readonly seenIn: 'slices' | 'looks';
}

/** Nothing can hold a device there. */
interface NoDriver {
  readonly tag: 'noDriver';
}

type Restore = () => Promise<'ended' | 'lost'>;

const DONE: NodeOutcome = { tag: 'done' };
/** Of an id that is none, in a message. */
const LONGEST_ID = 80;

/**
 * Node actions for NVIDIA's GPUs, by commands in the container that has the driver, or in the node agent where the driver is
 * the host's. One action at a time runs on a node, nodes run in parallel. Only the GPU that is asked about is touched.
 */
export function nvidiaActions(options: NvidiaActionsOptions): NodeActions {
  const actions = new NvidiaActions(options);
  return {
    name: 'nvidia',
    ensureDriver: (node, signal) => actions.ensureDriver(node, signal),
    refresh: (ref, wanted, signal) => actions.refresh(ref, wanted, signal),
    identify: (question, signal) => actions.identify(question, signal),
    findLoad: (ref, signal) => actions.findLoad(ref, signal),
    findAllocation: (ref) => Promise.resolve(options.cluster.allocatedTo(ref)),
    drain: (request, signal) => actions.drain(request, signal),
    forgetResource: (name) => options.cluster.forgetResource?.(name),
    forgetNode: (name) => {
      actions.forget(name);
    },
  };
}

class NvidiaActions {
  readonly #options: NvidiaActionsOptions;
  readonly #turns = new Turns();
  readonly #driver = new DriverCheck();
  readonly #daemons: PersistenceDaemons;
  readonly #loads = new JointWork<GpuUuid, NodeLoad | NoDriver | Failed>((node, close, signal) =>
    this.#readLoad(node, close, signal),
  );

  constructor(options: NvidiaActionsOptions) {
    this.#options = options;
    this.#daemons = new PersistenceDaemons(options.log);
  }

  async ensureDriver(node: string, signal: AbortSignal): Promise<NodeOutcome> {
    const { looks, seenIn } = this.#options;
    // What the node has before an attach shows later what the attach brought.
    const noteNone = (outcome: NodeOutcome) => {
      if (outcome.tag === 'done') looks.noteListed(node, []);
      return outcome;
    };
    return this.#on(
      node,
      signal,
      () => noteNone(DONE),
      thenRestore(async (session) => {
        if (seenIn === 'slices') return this.#driver.check(node, session);
        const listed = await listOn(session);
        if (listed.tag === 'failed')
          return listed.hasNoDriver ? noteNone(await this.#driver.check(node, session)) : listed;
        looks.noteListed(
          node,
          listed.gpus.map(({ id }) => id),
        );
        return DONE;
      }),
    );
  }

  async refresh(ref: NodeDeviceRef, wanted: WantedVisibility, signal: AbortSignal): Promise<NodeOutcome> {
    const { cluster, seenIn, looks } = this.#options;
    // What a drain has taken away needs no listing to be missed.
    if (seenIn === 'slices' && wanted === 'absent') return cluster.restartPublisher(ref, wanted, signal);
    const left = wanted === 'absent' ? looks.drainedOn(ref.node) : undefined;
    if (left?.includes(canonical(ref.deviceId)) === false) return this.#publish(ref, wanted, left, signal);
    const listed = await this.#on(ref.node, signal, NOTHING_THERE, thenRestore(listOn));
    const isBare = listed.tag === 'failed' && 'hasNoDriver' in listed && listed.hasNoDriver && wanted === 'absent';
    if (listed.tag === 'failed' && !isBare) return listed;
    const ids = listed.tag === 'listed' ? listed.gpus.map(({ id }) => id) : [];
    looks.noteListed(ref.node, ids);
    // A plugin would not see either what the driver does not show yet.
    const isEarly = seenIn === 'looks' && wanted === 'visible' && !ids.includes(canonical(ref.deviceId));
    return isEarly ? DONE : this.#publish(ref, wanted, ids, signal);
  }

  async identify(question: IdentityQuestion, signal: AbortSignal): Promise<IdentifyOutcome> {
    const { node } = question;
    const { seenIn } = this.#options;
    const list = question.hints['pcieSerialNumber'] === undefined ? listOn : listWithPciSerialsOn;
    const listed = await this.#on(node, signal, NOTHING_THERE, thenRestore(list));
    if (listed.tag === 'failed') return listed;
    // What slices showed before is no measure for what a command shows now.
    const before = seenIn === 'slices' ? undefined : question.before;
    const outcome = identifyAmong({ ...question, before }, listed.gpus);
    if (seenIn === 'slices' || outcome.tag !== 'identified') return outcome;
    const ref = { node, deviceId: outcome.deviceId, resource: question.resource };
    const ids = listed.gpus.map(({ id }) => id);
    this.#options.looks.noteListed(node, ids);
    const published = await this.#publish(ref, 'visible', ids, signal);
    return published.tag === 'failed' ? published : outcome;
  }

  async findLoad(ref: NodeDeviceRef, signal: AbortSignal): Promise<LoadOutcome> {
    const uuid = GpuUuid.of(ref.deviceId);
    if (uuid === undefined) return noUuid(ref.deviceId);
    const { cluster } = this.#options;
    const users = await cluster.usersOf(ref, signal);
    if (users.tag !== 'idle') return users;
    const load = await this.#loads.ask(ref.node, uuid, signal);
    switch (load.tag) {
      case 'failed':
        return cluster.looked(ref, load, () => true);
      case 'noDriver':
        return cluster.looked(ref, { tag: 'idle' }, () => true);
      case 'read':
        return cluster.looked(ref, load.of(uuid), (deviceId) => isAmong(load.look.gpus, deviceId));
    }
  }

  /**
   * All GPUs of a node are read at once, and each run of nvidia-smi may take seconds: whoever asks while that runs waits for it too.
   * What opens a GPU behind the look is found by the drain, which looks for itself.
   */
  #readLoad(node: string, close: () => readonly GpuUuid[], signal: AbortSignal): Promise<NodeLoad | NoDriver | Failed> {
    return this.#on(
      node,
      signal,
      (): NodeLoad | NoDriver | Failed => ({ tag: 'noDriver' }),
      async (session, restore) => {
        const load = await readLoadOn(session, close);
        if (load.tag === 'read') this.#lookOn(node)(load.look);
        // After what is idle a drain comes, which would only end the daemon again.
        const isIdle = load.tag === 'read' && close().some((uuid) => load.of(uuid).tag === 'idle');
        if (!isIdle) await restore();
        return load;
      },
    );
  }

  async drain({ node, deviceId, force }: DrainRequest, signal: AbortSignal): Promise<NodeOutcome> {
    const uuid = GpuUuid.of(deviceId);
    if (uuid === undefined) return noUuid(deviceId);
    return this.#on(
      node,
      signal,
      () => DONE,
      async (session, restore) => {
        const onLook = (look: Look) => {
          this.#lookOn(node)(look);
          noteDrained(this.#options.looks, node, look);
        };
        const drain = { session, uuid, force, onLook };
        const outcome = await drainGpu(drain);
        const restored = await restore();
        if (outcome.tag !== 'done' || restored !== 'lost') return outcome;
        // The node may have been booted since, with all GPUs that it has; if not, nobody may come by to start the daemon for a long time.
        const again = await drainGpu(drain);
        if (again.tag === 'done') await restore();
        return again;
      },
    );
  }

  forget(node: string): void {
    for (const known of [this.#driver, this.#daemons, this.#options.looks]) known.forget(node);
  }

  #lookOn(node: string): (look: Look) => void {
    return (look) => {
      this.#daemons.note(node, look);
    };
  }

  async #publish(
    ref: NodeDeviceRef,
    wanted: WantedVisibility,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<NodeOutcome> {
    const { cluster, looks } = this.#options;
    const look = looks.beginToPublish();
    const restarted = await cluster.restartPublisher(ref, wanted, signal);
    if (restarted.tag === 'failed') return restarted;
    looks.notePublished(ref.node, ids, look);
    return DONE;
  }

  /**
   * Works where the node's driver is, in turn and in time; `nothing` is said of a node without a driver. `restore` is for the end of
   * the work: it starts the persistence daemon where that is missed, unless somebody waits for the node, who does so then.
   */
  async #on<T>(
    node: string,
    signal: AbortSignal,
    nothing: () => T,
    work: (session: Session, restore: Restore) => Promise<T>,
  ): Promise<T | Failed> {
    const { cluster, clock, exec } = this.#options;
    return this.#turns.take(node, signal, async (next) => {
      const lookup = cluster.driverOf(node);
      switch (lookup.tag) {
        case 'noDriver':
          return nothing();
        case 'failed':
          return lookup;
        case 'place':
          return inTime(node, clock, signal, (inner) => {
            const session = new Session(node, lookup.place, exec, inner);
            return work(session, () => (next() ? Promise.resolve('ended') : this.#daemons.restore(node, session)));
          });
      }
    });
  }
}

/** Work at whose end the node is as it is to stay. */
function thenRestore<T>(work: (session: Session) => Promise<T>) {
  return async (session: Session, restore: Restore): Promise<T> => {
    const outcome = await work(session);
    await restore();
    return outcome;
  };
}

const NOTHING_THERE = () => ({ tag: 'listed', gpus: [] }) as const;

/** A GPU without a UUID is one that nobody could tell from one that left. */
function noteDrained(looks: NodeLooks, node: string, { gpus }: Look): void {
  const ids = gpus.flatMap(({ uuid }) => (uuid === 'unknown' ? [] : [uuid.toString()]));
  if (ids.length === gpus.length) looks.noteDrained(node, ids);
}

/** Any may be one that the driver cannot initialise. */
function isAmong(gpus: Look['gpus'], deviceId: string): boolean {
  const uuid = GpuUuid.of(deviceId);
  return uuid === undefined || findGpu(gpus, uuid).tag !== 'absent';
}

function canonical(deviceId: string): string {
  return GpuUuid.of(deviceId)?.toString() ?? deviceId;
}

function noUuid(found: string): Failed {
  const message = `status.device_id is "${cleanText(found, LONGEST_ID)}"; accepted is ${GpuUuid.accepted}. No command was run.`;
  return { tag: 'failed', failure: { kind: 'Rejected', message } };
}
