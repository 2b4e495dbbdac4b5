import { forbidden } from '../base/failures.ts';
import { type JsonObject, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { badRequest } from '../base/failures.ts';
import type { AdmissionQuestion, World } from '../api/world.ts';
import { evaluateCel } from './cel.ts';
import { picks } from './matches.ts';
import { admissionRequest } from './review.ts';
import { callFailed, misdirected, readVerdict } from './verdict.ts';
import { addressOf } from './webhook-address.ts';
import type { WebhookAnswer, WebhookCall, WebhookCaller } from './webhook-caller.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

const CONFIGURATIONS = { group: 'admissionregistration.k8s.io', plural: 'validatingwebhookconfigurations' } as const;

/** Asks every webhook that wants to see the request. All are asked at once; the first refusal in their order counts. */
export async function admit(
  world: World,
  send: WebhookCaller,
  question: AdmissionQuestion,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  // A configuration that keeps itself from being repaired would lock everybody out.
  if (question.type.group === CONFIGURATIONS.group) return success([]);
  const collection = world.store.collection(CONFIGURATIONS);
  if (collection.size === 0) return success([]);
  const webhooks = [...collection.entries('')].flatMap(([, configuration]) => webhooksOf(configuration));
  const picked = webhooks.filter((webhook) => picks(world, webhook, question));
  const verdicts = await Promise.all(picked.map((webhook) => ask(world, send, webhook, question, signal)));
  const refusal = verdicts.find((verdict) => !verdict.ok);
  return refusal ?? success(verdicts.flatMap((verdict) => (verdict.ok ? verdict.value : [])));
}

async function ask(
  world: World,
  send: WebhookCaller,
  webhook: Webhook,
  question: AdmissionQuestion,
  signal: AbortSignal,
): Promise<Result<readonly string[]>> {
  const request = admissionRequest(question, world.random);
  const wanted = meetsConditions(webhook, question, request);
  if (!wanted.ok) return wanted;
  if (!wanted.value) return success([]);
  if (question.dryRun && !webhook.allowsDryRun) {
    return badRequest(`admission webhook "${webhook.name}" does not support dry run`);
  }
  const address = addressOf(world, webhook);
  if ('ok' in address) return onFailure(webhook, address.url, address.message);
  const body = JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request });
  const answer = await sendInTime(world, send, webhook, { ...address, body }, signal);
  if (!answer.ok) return onFailure(webhook, address.url, answer.message);
  const verdict = readVerdict(webhook.name, stringAt(request, 'uid') ?? '', answer.status, answer.body);
  const wrong = misdirected(webhook.name, stringAt(request, 'uid') ?? '', answer.body);
  if (wrong !== undefined) return webhook.ignoresFailure ? success([]) : wrong;
  return (
    verdict ??
    onFailure(
      webhook,
      address.url,
      `the answer (HTTP status ${String(answer.status)}) is no AdmissionReview for this request`,
    )
  );
}

/** All conditions must hold; one that is false excludes the request, whatever became of the others. */
function meetsConditions(webhook: Webhook, question: AdmissionQuestion, request: JsonObject): Result<boolean> {
  const variables = { object: question.object ?? null, oldObject: question.oldObject ?? null, request };
  const results = webhook.matchConditions.map(({ expression }) => evaluateCel(expression, variables));
  if (results.some((result) => result.ok && result.value === false)) return success(false);
  const broken = results.find((result) => !result.ok || result.value !== true);
  if (broken === undefined) return success(true);
  if (webhook.ignoresFailure) return success(false);
  const why = broken.ok ? 'a match condition is not boolean' : broken.message;
  return forbidden(question.type, question.name, `match conditions of webhook "${webhook.name}" failed: ${why}`);
}

function onFailure(webhook: Webhook, url: string, why: string): Result<readonly string[]> {
  return webhook.ignoresFailure ? success([]) : callFailed(webhook.name, url, why);
}

async function sendInTime(
  world: World,
  send: WebhookCaller,
  webhook: Webhook,
  call: WebhookCall,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const controller = new AbortController();
  const late = new Promise<WebhookAnswer>((resolve) => {
    controller.signal.addEventListener('abort', () => {
      resolve({ ok: false, message: 'context deadline exceeded' });
    });
  });
  const stop = () => {
    controller.abort();
  };
  const cancel = world.clock.after(webhook.timeoutSeconds * 1000, stop);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([send(call, controller.signal), late]);
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}
