import { call, type Api } from '../api.ts';
import { failed, orThrow, retry, type RetryHost, type Try } from '../retry.ts';
import { podName, podObject, runningStatus, unreadyStatus, type NewPod, type PodTemplate } from './pod-template.ts';

const JSON_TYPE = 'application/json';

/** Creates a node's pod and makes it run; one that is there already is taken over. Rejects when that is refused. */
export async function startPod(api: Api, host: RetryHost, template: PodTemplate, node: string): Promise<void> {
  const name = podName(template, node);
  await createPod(api, host, template, { name, node });
  await runPod(api, host, template, name);
}

/** Creates a pod that does not run yet; one that is there already is taken over. Rejects when that is refused. */
export async function createPod(api: Api, host: RetryHost, template: PodTemplate, pod: NewPod): Promise<void> {
  await makeNamespace(api, host, template.namespace);
  await make(api, host, `${pathOfNamespace(template.namespace)}/pods`, podObject(template, pod));
}

/** Makes a pod run and be ready. Rejects when that is refused. */
export async function runPod(api: Api, host: RetryHost, template: PodTemplate, name: string): Promise<void> {
  await patchStatus(api, host, template, name, runningStatus(template, host.clock.now()));
}

/** Makes a pod go on running, and be not ready. Rejects when that is refused. */
export async function unreadyPod(api: Api, host: RetryHost, template: PodTemplate, name: string): Promise<void> {
  await patchStatus(api, host, template, name, unreadyStatus(host.clock.now()));
}

async function patchStatus(api: Api, host: RetryHost, template: PodTemplate, name: string, status: object) {
  const doing = `tell the status of Pod ${name}`;
  const body = { type: 'application/strategic-merge-patch+json', value: { status } };
  const path = `${pathOf(template, name)}/status`;
  orThrow(doing, await retry(host, doing, async () => done(await call(api, 'PATCH', path, body))));
}

/** Takes a pod away at once, as a kubelet does when its containers have ended. One that is gone is fine. */
export async function removePod(api: Api, host: RetryHost, template: PodTemplate, name: string): Promise<void> {
  const doing = `delete Pod ${name}`;
  const outcome = await retry(host, doing, async () => {
    const answer = await call(api, 'DELETE', `${pathOf(template, name)}?gracePeriodSeconds=0`);
    return answer.tag === 'status' && answer.status === 404 ? finished : done(answer);
  });
  orThrow(doing, outcome);
}

/**
 * Makes a namespace with its default ServiceAccount, without which the API server takes no pod, where no controller has done it.
 * Rejects when that is refused.
 */
export async function makeNamespace(api: Api, host: RetryHost, name: string): Promise<void> {
  await make(api, host, '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } };
  await make(api, host, `${pathOfNamespace(name)}/serviceaccounts`, account);
}

interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Creates an object; one that is there already is fine. Rejects when that is refused. */
export async function make(api: Api, host: RetryHost, path: string, value: NewObject): Promise<void> {
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

function pathOf({ namespace }: PodTemplate, name: string): string {
  return `${pathOfNamespace(namespace)}/pods/${encodeURIComponent(name)}`;
}

function pathOfNamespace(name: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(name)}`;
}
