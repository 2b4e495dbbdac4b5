import {
  cleanText,
  isFabricId,
  type LocateOutcome,
  type NodeFacts,
  type ProviderHost,
  type ReadKind,
} from '@cro/cdi-core';
import { BARE_METAL_HOST } from './kinds.ts';

const MACHINE_ANNOTATION = 'machine.openshift.io/machine';
const HOST_ANNOTATION = 'metal3.io/BareMetalHost';
const FABRIC_ANNOTATION = 'cluster-manager.cdi.io/machine';
const PROVIDER_ID = /^fsas-cdi:\/\/([^/]+)$/;

/** `fsas-cdi://<machine uuid>` in the Node's `spec.providerID` (go-operator-tests.md, section 1). */
export function locateByProviderId(node: NodeFacts): LocateOutcome {
  const providerId = node.providerId ?? '';
  const machine = PROVIDER_ID.exec(providerId)?.[1];
  if (machine !== undefined && isFabricId(machine)) return { tag: 'machine', machine };
  const message = `invalid format: expected 'fsas-cdi://machineUUID', now is '${cleanText(providerId)}'`;
  return { tag: 'unmapped', message };
}

/**
 * Node -> Machine of the given kind -> BareMetalHost -> machine, along the annotations that the cluster API leaves. A Node without
 * its annotation is not on the fabric; a chain that breaks later needs a person. Texts as in the Go operator.
 */
export function locateByMachine(get: ProviderHost['get'], node: NodeFacts, kind: ReadKind): LocateOutcome {
  const machine = follow(get, node.annotations, MACHINE_ANNOTATION, `Node ${node.name}`, kind);
  if (machine.tag === 'broken') {
    // No annotation at all: a node that was never on the fabric, such as one of the control plane.
    const tag = node.annotations[MACHINE_ANNOTATION] === undefined ? 'unmapped' : 'failed';
    return tag === 'unmapped' ? { tag, message: machine.message } : blocked(machine.message);
  }
  const host = follow(get, machine.annotations, HOST_ANNOTATION, `Machine ${machine.name}`, BARE_METAL_HOST);
  if (host.tag === 'broken') return blocked(host.message);
  const id = host.annotations[FABRIC_ANNOTATION] ?? '';
  if (isFabricId(id)) return { tag: 'machine', machine: id };
  return blocked(wrongAnnotation(FABRIC_ANNOTATION, `BareMetalHost ${host.name}`, id));
}

type Step =
  | { readonly tag: 'object'; readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  | { readonly tag: 'broken'; readonly message: string };

/** Gets the object that an annotation names as `namespace/name`. */
function follow(
  get: ProviderHost['get'],
  annotations: Readonly<Record<string, string>>,
  annotation: string,
  owner: string,
  kind: ReadKind,
): Step {
  const value = annotations[annotation] ?? '';
  const [namespace, name, ...more] = value.split('/');
  if (!namespace || !name || more.length > 0) {
    return { tag: 'broken', message: wrongAnnotation(annotation, owner, value) };
  }
  const object = get(kind, name, namespace);
  if (object === undefined) {
    return { tag: 'broken', message: `${kind.plural}.${kind.group} "${cleanText(name)}" not found` };
  }
  return { tag: 'object', name: cleanText(name), annotations: object.metadata.annotations ?? {} };
}

function wrongAnnotation(annotation: string, owner: string, value: string): string {
  return `failed to get annotation '${annotation}' from ${owner}, now is '${cleanText(value)}'`;
}

function blocked(message: string): LocateOutcome {
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
}
