import type { Http } from '@cro/cdi-core';
import { delay, type Clock } from '@cro/clock';

/** What somebody else does with a real layout-apply, without the provider. */
export class Applies {
  readonly #http: Http;
  readonly #clock: Clock;
  readonly #url: string;

  /** `base`: as the provider is configured with. */
  constructor(http: Http, clock: Clock, base: string) {
    this.#http = http;
    this.#clock = clock;
    this.#url = `${base}/layout-apply`;
  }

  /** Begins one step, and answers its applyID. */
  async begin(operation: 'connect' | 'disconnect', targetCPUID: string, targetDeviceID: string): Promise<string> {
    const procedures = [{ operationID: 1, operation, dependencies: [], targetCPUID, targetDeviceID }];
    const { applyID } = await this.#send('POST', '', JSON.stringify({ procedures }));
    if (applyID === undefined) throw new Error('layout-apply did not accept an apply of somebody else');
    return applyID;
  }

  /** Waits until an apply no longer moves, and answers its status. */
  async statusOf(applyID: string): Promise<string> {
    for (;;) {
      const { status = '' } = await this.#send('GET', `/${applyID}`);
      if (status !== 'IN_PROGRESS' && status !== 'CANCELING') return status;
      await delay(this.#clock, 500);
    }
  }

  /** Begins one step and waits for it. */
  async carryOut(operation: 'connect' | 'disconnect', cpu: string, device: string) {
    const applyID = await this.begin(operation, cpu, device);
    return { applyID, status: await this.statusOf(applyID) };
  }

  /** Ends a suspended apply. */
  async cancel(applyID: string): Promise<void> {
    await this.#send('PUT', `/${applyID}?action=cancel`);
  }

  async #send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string) {
    const headers = { 'content-type': 'application/json' };
    const request = { method, url: this.#url + path, headers, ...(body === undefined ? {} : { body }) };
    const answer = await this.#http.send(request, AbortSignal.timeout(30_000));
    return JSON.parse(answer.body) as { applyID?: string; status?: string };
  }
}
