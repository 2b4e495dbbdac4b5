import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeMachines, startFabricSim, type RunningFabricSim, type StartOptions } from '@cro/fabric-sim';
import { at, FM, FmClient, logIn, MODEL } from './support/client.ts';

const running: RunningFabricSim[] = [];
const machine = at(makeMachines(1), 0).machUuid;

async function start(options?: StartOptions): Promise<RunningFabricSim> {
  const fabric = await startFabricSim(options);
  running.push(fabric);
  return fabric;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((fabric) => fabric.close()));
});

/** The same calls as the tests of the core make, over the socket. */
async function overSocket(fabric: RunningFabricSim): Promise<FmClient> {
  const { token } = await logIn(fabric.sim);
  const core: FmClient['core'] = {
    async handle({ method, path, headers, body = '' }, signal) {
      const length = String(Buffer.byteLength(body));
      const options: RequestOptions = {
        method,
        headers: { ...headers, 'content-length': length },
        ca: fabric.caPem,
        signal,
      };
      const outgoing = request(fabric.url + path, options).end(body);
      const [incoming] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      return { status: incoming.statusCode, headers: {}, body: Buffer.concat(chunks).toString() };
    },
  };
  return new FmClient(core, fabric.sim.tenant, token);
}

describe('a simulator that listens', () => {
  it('serves a device from attach to detach over TLS that its CA vouches for', async () => {
    const fabric = await start();
    const client = await overSocket(fabric);
    const attached = await client.attach(machine);
    expect(attached.status).toBe(200);
    const device = at(fabric.sim.attachedTo(machine), 0);
    expect(attached.body).toContain(device.serial);
    expect((await client.detach(machine, device.resUuid)).status).toBe(200);
    fabric.sim.assertPoolWhole();
    expect(fabric.endpoint).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  it('is not trusted without that CA', async () => {
    const { endpoint } = await start();
    const socket = connect({ host: '127.0.0.1', port: Number(endpoint.split(':')[1]) });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/);
  });

  it('closes the connection where a reply is lost', async () => {
    const fabric = await start();
    const client = await overSocket(fabric);
    fabric.sim.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } });
    await expect(client.attach(machine)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(fabric.sim.attachedTo(machine)).toHaveLength(1);
  });

  it('does the work of a client that hung up', async () => {
    const fabric = await start({ attachMs: 100 });
    const client = await overSocket(fabric);
    const attached = new Promise((resolve) => fabric.sim.subscribe(resolve));
    const hangUp = new AbortController();
    const answer = client.attach(machine, 1, MODEL, hangUp.signal);
    const refused = expect(answer).rejects.toMatchObject({ code: 'ABORT_ERR' });
    while (fabric.sim.snapshot().reserved.length === 0) await new Promise(setImmediate);
    hangUp.abort();
    await refused;
    expect(await attached).toMatchObject({ tag: 'attached', machine });
    expect(fabric.sim.callLog().at(-1)?.end).toEqual({ tag: 'hungUp' });
  });

  it('answers 413 to a body beyond a mebibyte', async () => {
    const fabric = await start();
    const client = await overSocket(fabric);
    const response = await client.send('PATCH', `/${machine}/update`, 'x'.repeat(1_048_577));
    expect(response.status).toBe(413);
  });

  it('refuses a port that is taken', async () => {
    const { endpoint } = await start();
    await expect(startFabricSim({ port: Number(endpoint.split(':')[1]) })).rejects.toThrow('EADDRINUSE');
  });

  it('lets clients go when it closes', async () => {
    const fabric = await startFabricSim();
    const client = await overSocket(fabric);
    fabric.sim.faults.add({ kind: 'get', effect: { tag: 'hang' } });
    const refused = expect(client.get(machine)).rejects.toMatchObject({ code: 'ECONNRESET' });
    while (fabric.sim.calls().get === 0) await new Promise(setImmediate);
    await fabric.close();
    await refused;
    expect(fabric.sim.callLog().at(-1)?.path).toBe(`${FM}/${machine}?tenant_uuid=${fabric.sim.tenant}`);
  });
});
