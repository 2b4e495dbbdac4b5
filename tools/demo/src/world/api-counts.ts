import type { SeenRequest } from '@cro/kube-sim';

/** What a program asked of the API server. Leases and execs are no writes here, and execs no reads: goals count them apart. */
export interface ApiCounts {
  readonly writes: number;
  readonly leases: number;
  readonly reads: number;
  readonly watches: number;
  /** Commands in pods, whatever became of them. */
  readonly execs: number;
}

const LEASES = 'leases.coordination.k8s.io';
const NOTHING: ApiCounts = { writes: 0, leases: 0, reads: 0, watches: 0, execs: 0 };

/** As much of a request as is counted. */
export type CountedRequest = Pick<SeenRequest, 'userAgent' | 'isWrite' | 'resource' | 'subresource' | 'verb'>;

/** Counts requests by who asks. */
export class ApiCounter {
  readonly #byAgent = new Map<string, ApiCounts>();

  /** Counts one request. */
  see({ userAgent, isWrite, resource, subresource, verb }: CountedRequest): void {
    const before = this.of(userAgent);
    const { writes, leases, reads, watches, execs } = before;
    // A WebSocket is opened by a GET.
    if (subresource === 'exec') {
      this.#byAgent.set(userAgent, { ...before, execs: execs + 1 });
      return;
    }
    this.#byAgent.set(userAgent, {
      execs,
      writes: writes + Number(isWrite && resource !== LEASES),
      leases: leases + Number(isWrite && resource === LEASES),
      reads: reads + Number(verb === 'get' || verb === 'list'),
      watches: watches + Number(verb === 'watch'),
    });
  }

  /** What one user agent asked so far. */
  of(userAgent: string): ApiCounts {
    return this.#byAgent.get(userAgent) ?? NOTHING;
  }

  /** What everybody asked, but for those whose user agent is named. */
  allBut(...userAgents: readonly string[]): ApiCounts {
    const others = [...this.#byAgent].filter(([agent]) => !userAgents.includes(agent)).map(([, counts]) => counts);
    return others.reduce(
      (sum, { writes, leases, reads, watches, execs }) => ({
        writes: sum.writes + writes,
        leases: sum.leases + leases,
        reads: sum.reads + reads,
        watches: sum.watches + watches,
        execs: sum.execs + execs,
      }),
      NOTHING,
    );
  }
}
