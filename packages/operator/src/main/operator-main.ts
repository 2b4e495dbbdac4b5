import { systemClock } from '@cro/clock';
import { requestKind, resourceKind } from '@cro/crd-types';
import {
  EventRecorder,
  KubeClient,
  electLeader,
  type Leadership,
  type Permissions,
  type Transport,
} from '@cro/kube-runtime';
import type { Cluster } from '@cro/kube-runtime/kubeconfig';
import { createExec, limitExec, type Exec } from '@cro/kube-runtime/exec';
import { hostname } from 'node:os';
import { LEASE } from '../names.ts';
import { OperatorConfigError } from '../config-error.ts';
import { startOperator, type OperatorConfig, type RunningOperator } from '../operator.ts';
import {
  caFileProblems,
  EXIT_CONFIGURATION,
  fatalLines,
  parseFlags,
  parseSettings,
  type Check,
  type Flags,
  type Settings,
} from '../process/index.ts';
import { extraRoles } from '../rbac/extra-roles.ts';
import type { Events } from '../services.ts';
import { heapFollowsWork } from './heap-follows-work.ts';
import { nodeHeap } from './node-heap.ts';
import { nodeActionsOf } from './node-actions.ts';
import { accessOf, leaseSubject, missingProblem, startPermissions } from './permissions.ts';
import { findCluster, processWorld, type HeardWorld, type Invocation, type ProcessWorld } from './process-world.ts';
import { chooseProvider, httpFor, type SoundProvider } from './provider.ts';
import { readyDecoders } from './ready-decoders.ts';
import { startServers } from './servers.ts';
import { askedToStop } from './stop-signal.ts';
import { serveWebhook, type ServedWebhook } from './webhook.ts';

const COMPONENT = 'composable-resource-operator';

/** The operator as a program. Resolves with its exit code: 0 after a stop, 1 after a failure, 2 for wrong settings. */
export async function operatorMain(invocation: Invocation): Promise<number> {
  const { version, argv, env } = invocation;
  const parsed = parseFlags(argv, { name: COMPONENT, version });
  if (parsed.tag === 'print') {
    process.stdout.write(parsed.text);
    return 0;
  }
  const settings = parseSettings(env);
  const problems = [parsed, settings].flatMap((one) => (one.tag === 'invalid' ? one.problems : []));
  if (parsed.tag === 'invalid' || settings.tag === 'invalid') return refuse(problems);
  const files = caFileProblems(settings.settings);
  if (files.length > 0) return refuse(files);
  const provider = await chooseProvider(settings.settings.provider, { program: invocation.folder, clock: systemClock });
  if (provider.tag === 'invalid') return refuse([provider.problem]);
  const chosen = { settings: settings.settings, flags: parsed.flags, provider };
  if (parsed.flags.printRbac) {
    const { namespace } = settings.settings;
    process.stdout.write(extraRoles(accessOf(settings.settings, parsed.flags, provider.loaded), namespace));
    return 0;
  }
  const cluster = findCluster(parsed.flags);
  if (cluster.tag === 'invalid') return refuse([cluster.message]);
  return run(chosen, cluster.cluster, processWorld(settings.settings, cluster.cluster, invocation));
}

function refuse(problems: readonly string[]): number {
  process.stderr.write(fatalLines(COMPONENT, problems));
  return EXIT_CONFIGURATION;
}

/** What runs, as far as it has come: the probes answer from it. */
interface Progress {
  webhook: ServedWebhook | undefined;
  leadership: Leadership | undefined;
  operator: RunningOperator | undefined;
  permissions: Permissions | undefined;
}

/** What the command line, the environment and the provider's package decide. */
interface Chosen {
  readonly settings: Settings;
  readonly flags: Flags;
  readonly provider: SoundProvider;
}

async function run(chosen: Chosen, cluster: Cluster, world: ProcessWorld): Promise<number> {
  const { settings, flags, provider } = chosen;
  const progress: Progress = { webhook: undefined, leadership: undefined, operator: undefined, permissions: undefined };
  const servers = await startServers(flags, { live: [], ready: readyChecks(progress) }, world);
  if (servers.tag === 'failed') return refuse([servers.problem]);
  const end = new AbortController();
  // The renewal of the lease must not wait for a connection behind everything else.
  const ofLease = cluster.transport.apart();
  const identity = `${settings.podName ?? hostname()}_${world.newId()}`;
  try {
    const recorder = ownRecorder(world, identity);
    const access = accessOf(settings, flags, provider.loaded);
    const permissions = startPermissions(
      { access, namespace: settings.namespace, userAgent: COMPONENT, recorder, signal: end.signal },
      world,
    );
    progress.permissions = permissions;
    const heard = { ...world, transport: permissions.listeningTo(world.transport) };
    if (settings.webhooks) progress.webhook = await serveWebhook(settings, flags, heard);
    const exec = limitExec(createExec({ transport: cluster.transport, clock: world.clock }), {
      atOnce: settings.nodeCommandsAtOnce,
      metrics: world.metrics.exec,
    });
    const leaseTransport = permissions.listeningTo(ofLease);
    return await lead({ ...chosen, identity, recorder, exec, leaseTransport }, heard, progress, end);
  } catch (error) {
    if (error instanceof OperatorConfigError) return refuse([error.message]);
    world.log.error('the operator cannot go on', { error });
    return 1;
  } finally {
    end.abort(new Error('the operator ends'));
    await Promise.all([progress.webhook?.close(), servers.close()]);
    cluster.transport.close();
    ofLease.close();
    await world.http.close();
  }
}

interface Candidacy extends Chosen {
  readonly identity: string;
  readonly recorder: EventRecorder;
  readonly exec: Exec;
  readonly leaseTransport: Transport;
}

async function lead(
  { settings, flags, provider, identity, recorder, exec, leaseTransport }: Candidacy,
  world: HeardWorld,
  progress: Progress,
  end: AbortController,
): Promise<number> {
  const { log, clock, random, metrics } = world;
  const stopping = askedToStop();
  await readyDecoders([requestKind, resourceKind], clock);
  const client = new KubeClient({ transport: leaseTransport, clock, random, metrics, userAgent: COMPONENT });
  const election = electLeader({
    client,
    clock,
    random,
    metrics,
    log,
    identity,
    namespace: settings.namespace,
    name: LEASE,
    ...flags.lease,
    signal: end.signal,
  });
  const won = await Promise.race([election, stopping]);
  if (typeof won === 'string') {
    log.info('stopped while waiting for the lease', { signal: won });
    election.catch(() => undefined);
    return 0;
  }
  progress.leadership = won;
  recorder.event(leaseSubject(settings.namespace), 'Normal', 'LeaderElection', `${identity} became leader`);
  const operator = startOperator(configOf(settings, provider), {
    ...world,
    http: httpFor(settings.provider, world.http),
    exec,
    leading: () => won.held(),
    eventsOver: (own) => recorderOver(own, world, identity),
    signal: AbortSignal.any([end.signal, won.signal]),
  });
  progress.operator = operator;
  heapFollowsWork(nodeHeap(), clock, end.signal);
  void announceStart(operator, log);
  const lost = new Promise<'lost'>((resolve) => {
    won.signal.addEventListener('abort', () => {
      resolve('lost');
    });
  });
  const drained = operator.drained.then(() => 'drained' as const);
  const why = await Promise.race([stopping, lost, ...(settings.drain === 'once' ? [drained] : [])]);
  if (why === 'lost') {
    log.error('the lease is lost: another operator may act now, so this one ends at once');
    return 1;
  }
  log.info('stopping: what runs may end and is saved, nothing new is started', { reason: why });
  await operator.stop(settings.stopSeconds * 1000);
  // This ends what is left of the operator's work, too. After an abort there would be no lease left to let go of.
  await won.release();
  end.abort(new Error('the operator stops'));
  log.info('stopped');
  return 0;
}

/** Tells what concerns the operator as a whole. */
function ownRecorder({ transport, clock, random, metrics, log }: ProcessWorld, instance: string): EventRecorder {
  const client = new KubeClient({ transport, clock, random, metrics, userAgent: COMPONENT });
  return new EventRecorder({ client, clock, random, log, component: COMPONENT, instance });
}

async function announceStart(operator: RunningOperator, log: ProcessWorld['log']): Promise<void> {
  try {
    await operator.started;
    log.info('the operator runs: everything has been read');
  } catch (error) {
    log.info('the operator ended before everything was read', { error });
  }
}

function configOf(settings: Settings, { loaded }: SoundProvider): OperatorConfig {
  const { namespace, deviceResourceType, draDrivers, memory, withoutFence, syncSeconds, orphanGraceSeconds, drain } =
    settings;
  return {
    namespace,
    provider: loaded,
    syncMs: syncSeconds * 1000,
    orphanGraceMs: orphanGraceSeconds * 1000,
    drain: drain !== 'false',
    fence: deviceResourceType === 'DRA' ? { tag: 'deviceTaintRules', without: withoutFence } : { tag: 'none' },
    nodeActions: nodeActionsOf(settings),
    sliceDrivers: { gpu: draDrivers, ...(memory === undefined ? {} : { memory }) },
  };
}

function recorderOver(client: KubeClient, { clock, random, log }: HeardWorld, instance: string): Events {
  const recorder = new EventRecorder({ client, clock, random, log, component: COMPONENT, instance });
  return {
    event: ({ apiVersion, kind, metadata: { name, uid } }, type, reason, message) => {
      recorder.event({ apiVersion, kind, name, uid }, type, reason, message);
    },
  };
}

function readyChecks(progress: Progress): Check[] {
  return [
    { name: 'permissions', problem: () => missingProblem(progress.permissions) },
    { name: 'webhook', problem: () => progress.webhook?.problem() },
    {
      name: 'operator',
      // One that waits for the lease is ready: it stands by, and serves the webhook.
      problem: () =>
        progress.leadership === undefined ? undefined : progress.operator?.notReady().join('; ') || undefined,
    },
  ];
}
