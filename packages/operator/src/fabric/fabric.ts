import type {
  AttachedDevice,
  CallContext,
  Listing,
  LocateOutcome,
  NodeFacts,
  PrepareOutcome,
  PrepareRequest,
  Provider,
  ResumeOutcome,
  StartOutcome,
  Ticket,
} from '@cro/cdi-core';
import { startDeadline, type Clock } from '@cro/clock';
import type { Failure } from '@cro/crd-types';

/** What the fabric is called through: a deadline on each call, and no surprise but the typed ones. */
export interface Fabric {
  readonly name: string;
  readonly settleMs: number;
  /** What its changes exclude each other on. */
  readonly lane: Provider['lane'];
  /** Name of the lane that a change on `machine` needs. */
  readonly laneOf: (machine: string) => string;
  readonly locate: (node: NodeFacts, signal: AbortSignal) => Promise<LocateOutcome>;
  readonly prepare: (request: PrepareRequest, signal: AbortSignal) => Promise<PrepareOutcome>;
  readonly start: (ticket: Ticket, signal: AbortSignal) => Promise<StartOutcome>;
  /** `claimed`: ids that others hold, never to be taken for this ticket's. */
  readonly resume: (ticket: Ticket, claimed: readonly string[], signal: AbortSignal) => Promise<ResumeOutcome>;
  readonly list: (machines: readonly string[], signal: AbortSignal) => Promise<Listing>;
}

/** What counts the calls that are in flight. */
export interface FabricMetrics {
  operationStarted(op: Ticket['op']): void;
  operationEnded(op: Ticket['op'], seconds: number, result: StartOutcome['tag']): void;
}

/** Wraps a provider. A throw of the provider is its fault, and is told as one; a lost change stays in doubt. */
export function fabricOf(provider: Provider, clock: Clock, metrics: FabricMetrics): Fabric {
  const { read, mutate } = provider.timeouts;
  const call = async <T>(
    ms: number,
    signal: AbortSignal,
    run: (context: CallContext) => Promise<T>,
    lost: (failure: Failure) => T,
  ): Promise<T> => {
    const deadline = startDeadline(clock, ms, signal);
    try {
      return await run({ signal: deadline.signal, timeoutMs: ms });
    } catch (error) {
      if (signal.aborted) throw error;
      return lost(failureOf(provider.name, error, deadline.expired(), ms));
    } finally {
      deadline.clear();
    }
  };
  const failed = (failure: Failure) => ({ tag: 'failed', failure }) as const;
  const inDoubt = (failure: Failure) => ({ tag: 'inDoubt', failure }) as const;
  return {
    name: provider.name,
    settleMs: provider.settleSeconds * 1000,
    lane: provider.lane,
    laneOf: (machine) => (provider.lane === 'manager' ? provider.name : `${provider.name}/${machine}`),
    locate: (node, signal) => call<LocateOutcome>(read, signal, (context) => provider.locate(node, context), failed),
    prepare: (request, signal) =>
      call<PrepareOutcome>(read, signal, (context) => provider.prepare(request, context), failed),
    resume: (ticket, claimed, signal) =>
      call<ResumeOutcome>(read, signal, (context) => provider.resume(ticket, context, claimed), inDoubt),
    list: (machines, signal) =>
      call<Listing>(
        read * 2,
        signal,
        (context) => provider.list(machines, context),
        (failure) => ({
          devices: [],
          unreadable: machines.map((machine) => ({ machine, failure })),
        }),
      ),
    start: async (ticket, signal) => {
      const began = clock.monotonic();
      metrics.operationStarted(ticket.op);
      const outcome = await call<StartOutcome>(mutate, signal, (context) => provider.start(ticket, context), inDoubt);
      metrics.operationEnded(ticket.op, (clock.monotonic() - began) / 1000, outcome.tag);
      return outcome;
    },
  };
}

/**
 * Whether an operation keeps its lane: from its ticket to its end. The fabric is done with a device that is only not
 * identified yet: it keeps others from its machine, and not from the whole manager.
 */
export function needsLane(operation: Ticket | undefined, { lane }: Pick<Fabric, 'lane'>): operation is Ticket {
  return operation !== undefined && (operation.phase === 'open' || lane === 'machine');
}

function failureOf(provider: string, error: unknown, expired: boolean, ms: number): Failure {
  if (expired) return { kind: 'Unreachable', message: `${provider} did not answer within ${ms / 1000} s` };
  const text = error instanceof Error ? error.message : String(error);
  return { kind: 'Protocol', message: `${provider} failed in a way that a provider must not: ${text}` };
}

/** The id by which a device is known best: the fabric's. */
export function idOf(device: Pick<AttachedDevice, 'deviceId' | 'cdiDeviceId'>): string {
  return device.cdiDeviceId === '' ? (device.deviceId ?? '') : device.cdiDeviceId;
}
