import type { Permissions } from '@cro/kube-runtime';
import {
  EXIT_CONFIGURATION,
  fatalLines,
  parseCommonSettings,
  parseFlags,
  type CommonSettings,
  type Flags,
} from '../process/index.ts';
import { extraRoles } from '../rbac/extra-roles.ts';
import { missingProblem, startPermissions, webhookAccessOf } from './permissions.ts';
import { findCluster, processWorld, type Invocation, type ProcessWorld } from './process-world.ts';
import { startServers } from './servers.ts';
import { askedToStop } from './stop-signal.ts';
import { serveWebhook, type ServedWebhook } from './webhook.ts';

const PROGRAM = 'composable-resource-webhook';

/** The admission server alone, as a program. Resolves with its exit code. */
export async function webhookMain(invocation: Invocation): Promise<number> {
  const { version, argv, env } = invocation;
  const parsed = parseFlags(argv, { name: PROGRAM, version });
  if (parsed.tag === 'print') {
    process.stdout.write(parsed.text);
    return 0;
  }
  const settings = parseCommonSettings(env);
  const problems = [parsed, settings].flatMap((one) => (one.tag === 'invalid' ? one.problems : []));
  if (parsed.tag === 'invalid' || settings.tag === 'invalid') return refuse(problems);
  if (parsed.flags.printRbac) {
    process.stdout.write(extraRoles(webhookAccessOf(settings.settings, parsed.flags), settings.settings.namespace));
    return 0;
  }
  const cluster = findCluster(parsed.flags);
  if (cluster.tag === 'invalid') return refuse([cluster.message]);
  const world = processWorld(settings.settings, cluster.cluster, invocation);
  try {
    return await serve(settings.settings, parsed.flags, world);
  } finally {
    cluster.cluster.transport.close();
    await world.http.close();
  }
}

async function serve(settings: CommonSettings, flags: Flags, world: ProcessWorld): Promise<number> {
  let webhook: ServedWebhook | undefined;
  let permissions: Permissions | undefined;
  const end = new AbortController();
  const ready = [
    { name: 'permissions', problem: () => missingProblem(permissions) },
    { name: 'webhook', problem: () => (webhook === undefined ? 'not started yet' : webhook.problem()) },
  ];
  const servers = await startServers(flags, { live: [], ready }, world);
  if (servers.tag === 'failed') return refuse([servers.problem]);
  const stopping = askedToStop();
  try {
    const access = webhookAccessOf(settings, flags);
    permissions = startPermissions(
      { access, namespace: settings.namespace, userAgent: PROGRAM, signal: end.signal },
      world,
    );
    webhook = await serveWebhook(settings, flags, { ...world, transport: permissions.listeningTo(world.transport) });
    const signal = await stopping;
    world.log.info('stopping', { signal });
    return 0;
  } catch (error) {
    world.log.error('the webhook cannot go on', { error });
    return 1;
  } finally {
    end.abort(new Error('the webhook ends'));
    await Promise.all([webhook?.close(), servers.close()]);
  }
}

function refuse(problems: readonly string[]): number {
  process.stderr.write(fatalLines(PROGRAM, problems));
  return EXIT_CONFIGURATION;
}
