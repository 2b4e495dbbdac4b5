import { fieldErrorText } from '../base/field-error.ts';
import { isObject, stringAt, toJson } from '../base/json.ts';
import { admit } from '../admission/admit.ts';
import { httpsCaller } from '../admission/https-caller.ts';
import type { WebhookCaller } from '../admission/webhook-caller.ts';
import type { ExecScript } from '../exec/exec.ts';
import type { SimClock } from '../base/sim-clock.ts';
import { OpenWatches, type PickWatch } from '../api/open-watches.ts';
import type { World } from '../api/world.ts';
import { followCrds } from '../controllers/crd-controller.ts';
import { followNamespaces } from '../controllers/namespace-controller.ts';
import { collectGarbage } from '../controllers/garbage-collector.ts';
import { Faults } from '../faults/faults.ts';
import { builtinTypes } from '../resources/builtin.ts';
import { checkCrd } from '../resources/check-crd.ts';
import { Registry } from '../resources/registry.ts';
import { taintRuleTypes, type TaintRuleVersion } from '../resources/taint-rule.ts';
import { Store } from '../store/store.ts';
import { createAttend } from './attend.ts';
import { createHandle, createOpenExec, type Handle, type OpenExec } from './handler.ts';
import { type Objects, openObjects } from './objects.ts';
import type { Observer } from './observer.ts';

/** How a server is set up. */
export interface KubeSimOptions {
  readonly clock: SimClock;
  /** From 0 to below 1; uids, generated names and watch timeouts are drawn from it. */
  readonly random: () => number;
  /** CustomResourceDefinition manifests that are there from the start. */
  readonly crds?: readonly object[];
  /** How many changes of each resource watches can go back. Default 10,000. */
  readonly historyWindow?: number;
  /** Milliseconds between two bookmarks of a watch. Default one minute, as in the real server. */
  readonly bookmarkIntervalMs?: number;
  /** The versions of DeviceTaintRule, the preferred one first. Default v1alpha3, as in Kubernetes 1.34; 1.37 has v1. */
  readonly servedTaintRuleVersions?: readonly TaintRuleVersion[];
  /** Answers `pods/exec`. Without it, exec is refused. */
  readonly exec?: ExecScript;
  /** Sends a call to an admission webhook. By default over HTTPS. */
  readonly callWebhook?: WebhookCaller;
}

/** A Kubernetes API server in memory. */
export interface KubeSim {
  /** Answers a request. When `signal` aborts, the client has hung up: watches end, and delays are over. */
  readonly handle: Handle;
  /** Checks a `pods/exec` request; the result runs the command. This is what a WebSocket is put around. */
  readonly openExec: OpenExec;
  readonly clock: SimClock;
  readonly random: () => number;
  /** What goes wrong, on request. */
  readonly faults: Faults;
  /** The store, without the API. */
  readonly objects: Objects;
  /** Tells `observer` of each request after it was answered. The result stops that. */
  observe(observer: Observer): () => void;
  /** Stops watches, cleanly as at their timeout or by cutting the connection. Answers how many. */
  closeWatches(how: 'end' | 'cut', which?: PickWatch): number;
  /** Keeps events back from watches, those to come included: clients go on with an old view. The result lets go. */
  holdWatches(which?: PickWatch): () => void;
  /** From now on DeviceTaintRules are served in these versions, as after an upgrade; what is stored stays. */
  serveTaintRules(versions: readonly TaintRuleVersion[]): void;
  /** How many watches run. */
  openWatches(): number;
  /** Forgets the history: a watch from an older version gets 410. */
  compact(): void;
}

/** Namespaces that every cluster has. */
const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Makes a server. Throws when one of `crds` is no CustomResourceDefinition. */
export function createKubeSim(options: KubeSimOptions): KubeSim {
  const registry = new Registry();
  const store = new Store(options.historyWindow ?? 10_000);
  const watches = new OpenWatches();
  const world: World = {
    store,
    registry,
    watches,
    clock: options.clock,
    random: options.random,
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? 60_000,
    admit: (question, signal) => admit(world, options.callWebhook ?? httpsCaller, question, signal),
  };
  registry.add(builtinTypes(options.servedTaintRuleVersions ?? ['v1alpha3'], () => options.clock.now()));
  followCrds(world);
  followNamespaces(world);
  collectGarbage(world);
  const objects = openObjects(world);
  const faults = new Faults();
  const observers = new Set<Observer>();
  const attend = createAttend(world, faults, observers);
  for (const name of NAMESPACES) objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const crd of options.crds ?? []) addCrd(objects, crd);
  return {
    handle: createHandle(world, attend),
    openExec: createOpenExec(world, attend, options.exec),
    clock: options.clock,
    random: options.random,
    faults,
    objects,
    observe: (observer) => {
      observers.add(observer);
      return () => {
        observers.delete(observer);
      };
    },
    closeWatches: (how, which) => watches.close(how, which),
    holdWatches: (which) => watches.hold(which),
    serveTaintRules: (versions) => {
      const types = taintRuleTypes(versions, () => options.clock.now());
      registry.replace('resource.k8s.io', 'devicetaintrules', types);
    },
    openWatches: () => watches.size,
    compact: () => {
      store.compact();
    },
  };
}

function addCrd(objects: Objects, source: object): void {
  const crd = toJson(source);
  if (!isObject(crd) || crd['kind'] !== 'CustomResourceDefinition') {
    throw new Error(
      `crds: found ${JSON.stringify(source).slice(0, 100)}; accepted are CustomResourceDefinition manifests`,
    );
  }
  const errors = checkCrd(crd).map(fieldErrorText);
  if (errors.length > 0)
    throw new Error(`crds: ${stringAt(crd, 'metadata', 'name') ?? 'a nameless one'}: ${errors.join('; ')}`);
  objects.put(crd);
}
