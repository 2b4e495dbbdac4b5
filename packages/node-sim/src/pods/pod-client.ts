import { call, type Api } from '../api.ts';
import { failed, orThrow, retry, type RetryHost, type Try } from '../retry.ts';
import { podName, podObject, runningStatus, type PodTemplate } from './pod-template.ts';

const JSON_TYPE = 'application/json';

/**
 * Creates a node's pod and makes it run; one that is there already is taken over. Its namespace and default ServiceAccount,
 * without which the API server takes no pod, are made where no controller has done it. Rejects when that is refused.
 */
export async function startPod(api: Api, host: RetryHost, template: PodTemplate, node: string): Promise<void> {
  const { namespace } = template;
  const ofNamespace = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  await make(api, host, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  await make(api, host, `${ofNamespace}/serviceaccounts`, account);
  await make(api, host, `${ofNamespace}/pods`, podObject(template, node));
  const doing = `run Pod ${podName(template, node)}`;
  const value = { status: runningStatus(template, host.clock.now()) };
  const body = { type: 'application/strategic-merge-patch+json', value };
  const path = `${pathOf(template, node)}/status`;
  orThrow(doing, await retry(host, doing, async () => done(await call(api, 'PATCH', path, body))));
}

/** Takes a node's pod away at once, as the garbage collector of pods does when a node has gone. */
export async function removePod(api: Api, host: RetryHost, template: PodTemplate, node: string): Promise<void> {
  const doing = `delete Pod ${podName(template, node)}`;
  const outcome = await retry(host, doing, async () => {
    const answer = await call(api, 'DELETE', `${pathOf(template, node)}?gracePeriodSeconds=0`);
    return answer.tag === 'status' && answer.status === 404 ? finished : done(answer);
  });
  orThrow(doing, outcome);
}

interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

async function make(api: Api, host: RetryHost, path: string, value: NewObject): Promise<void> {
  const doing = `create ${value.kind} ${value.metadata.name}`;
  const outcome = await retry(host, doing, async () => {
    const answer = await call(api, 'POST', path, { type: JSON_TYPE, value });
    return answer.tag === 'status' && answer.status === 409 ? finished : done(answer);
  });
  orThrow(doing, outcome);
}

const finished: Try<undefined> = { tag: 'done', value: undefined };

function done(answer: Awaited<ReturnType<typeof call>>): Try<undefined> {
  return answer.tag === 'ok' ? finished : failed(answer);
}

function pathOf(template: PodTemplate, node: string): string {
  const name = encodeURIComponent(podName(template, node));
  return `/api/v1/namespaces/${encodeURIComponent(template.namespace)}/pods/${name}`;
}
