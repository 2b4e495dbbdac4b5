import { closeSync, openSync, readSync } from 'node:fs';
import { ApiCounter, NODE_AGENT, STORY_AGENT, type ApiCounts } from '@cro/demo';
import { parseAuditLine, type AuditEntry } from '@cro/kube';

const BUFFER_BYTES = 1 << 20;
const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];
/** What is no operator: the world's own, and those who come with a control plane. */
const OTHERS = [STORY_AGENT, NODE_AGENT];
/** A question in the form of a creation: nothing is stored. */
const REVIEWS = 'selfsubjectaccessreviews';
const OF_THE_PLANE = /^kube-apiserver\//;

/** Counts what an API server has answered, by its audit log, of which it reads what is new. */
export class AuditCounter {
  readonly #path: string;
  readonly #counter = new ApiCounter();
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  #offset = 0;
  #rest = Buffer.alloc(0);

  constructor(path: string) {
    this.#path = path;
  }

  /** What operators have asked for so far. */
  operatorCounts(): ApiCounts {
    const file = openSync(this.#path, 'r');
    try {
      for (;;) {
        const read = readSync(file, this.#buffer, 0, BUFFER_BYTES, this.#offset);
        if (read === 0) return this.#counter.allBut(...OTHERS);
        this.#offset += read;
        this.#take(this.#buffer.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
  }

  #take(bytes: Buffer): void {
    const all = Buffer.concat([this.#rest, bytes]);
    const end = all.lastIndexOf(0x0a) + 1;
    for (const line of all.toString('utf8', 0, end).split('\n')) if (line !== '') this.#count(parseAuditLine(line));
    this.#rest = Buffer.from(all.subarray(end));
  }

  #count({ verb, userAgent, resource }: AuditEntry): void {
    if (OF_THE_PLANE.test(userAgent)) return;
    const [plural = '', subresource] = resource.split('/');
    if (plural === REVIEWS) {
      this.#counter.see({ userAgent, isWrite: false, resource, subresource, verb: 'get' });
      return;
    }
    // The audit log names resources without their group.
    const counted = plural === 'leases' ? 'leases.coordination.k8s.io' : plural;
    const isWrite = WRITES.includes(verb);
    this.#counter.see({ userAgent, isWrite, resource: counted, subresource, verb: verbOf(verb) });
  }
}

/** What the counter tells apart; a request that is about no resource is counted as none of it. */
function verbOf(verb: string): 'get' | 'list' | 'watch' | 'create' {
  return verb === 'get' || verb === 'list' || verb === 'watch' ? verb : 'create';
}
