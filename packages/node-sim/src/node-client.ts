import { call, type Api } from './api.ts';
import { nodeObject, providerIdOf, readyCondition, type NodeSpec } from './node-object.ts';
import { NodeSchema, readObject } from './objects.ts';
import { failed, orThrow, retry, type RetryHost, type Try } from './retry.ts';
import type { SliceOwner } from './slice-object.ts';

const NODES = '/api/v1/nodes';

/** Creates a Node, or takes over one of that name and providerID. Rejects when the API server refuses it. */
export async function createNode(api: Api, host: RetryHost, spec: NodeSpec): Promise<SliceOwner> {
  const value = nodeObject(spec, host.clock.now());
  return orThrow(
    `create Node ${spec.name}`,
    await retry(host, `create Node ${spec.name}`, async () => {
      const outcome = await call(api, 'POST', NODES, { type: 'application/json', value });
      if (outcome.tag === 'ok') return ownerOf(spec, outcome.body);
      return outcome.tag === 'status' && outcome.status === 409 ? takeOver(api, spec) : failed(outcome);
    }),
  );
}

/** Sets a Node's Ready condition. Rejects when the API server refuses it. */
export async function setNodeReady(api: Api, host: RetryHost, name: string, ready: boolean): Promise<void> {
  const value = { status: { conditions: [readyCondition(ready, host.clock.now())] } };
  const doing = `set Node ${name} ${ready ? 'ready' : 'not ready'}`;
  const patch = { type: 'application/strategic-merge-patch+json', value };
  const outcome = await retry(host, doing, () => done(call(api, 'PATCH', `${pathOf(name)}/status`, patch)));
  orThrow(doing, outcome);
}

/** Sets how much of a resource a Node has and gives to pods, as a quantity. A refusal is in the report. */
export async function setNodeResource(
  api: Api,
  host: RetryHost,
  name: string,
  resource: string,
  quantity: string,
): Promise<void> {
  const resources = { [resource]: quantity };
  const value = { status: { capacity: resources, allocatable: resources } };
  const doing = `set ${resource} of Node ${name} to ${quantity}`;
  const patch = { type: 'application/strategic-merge-patch+json', value };
  await retry(host, doing, () => done(call(api, 'PATCH', `${pathOf(name)}/status`, patch)));
}

/** Deletes a Node; one that is gone is fine. Rejects when the API server refuses it. */
export async function deleteNode(api: Api, host: RetryHost, name: string): Promise<void> {
  const doing = `delete Node ${name}`;
  const outcome = await retry(host, doing, async () => {
    const answer = await call(api, 'DELETE', pathOf(name));
    return answer.tag === 'status' && answer.status === 404 ? finished : done(Promise.resolve(answer));
  });
  orThrow(doing, outcome);
}

async function takeOver(api: Api, spec: NodeSpec): Promise<Try<SliceOwner>> {
  const outcome = await call(api, 'GET', pathOf(spec.name));
  if (outcome.tag === 'ok') return ownerOf(spec, outcome.body);
  // Deleted between the two calls: create it after all.
  return outcome.tag === 'status' && outcome.status === 404 ? { tag: 'atOnce' } : failed(outcome);
}

function ownerOf(spec: NodeSpec, body: string): Try<SliceOwner> {
  const node = readObject(NodeSchema, body);
  if (node.tag === 'failed') return { tag: 'later', message: node.message };
  const found = node.value.spec.providerID;
  if (found !== providerIdOf(spec)) {
    const message = `spec.providerID is ${JSON.stringify(found)}, it has to be ${JSON.stringify(providerIdOf(spec))}`;
    return { tag: 'refused', message };
  }
  return { tag: 'done', value: { name: spec.name, uid: node.value.metadata.uid } };
}

const finished: Try<undefined> = { tag: 'done', value: undefined };

async function done(answer: ReturnType<typeof call>): Promise<Try<undefined>> {
  const outcome = await answer;
  return outcome.tag === 'ok' ? finished : failed(outcome);
}

function pathOf(name: string): string {
  return `${NODES}/${encodeURIComponent(name)}`;
}
