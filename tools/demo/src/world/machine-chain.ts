import type { MachineSpec } from '@cro/fabric-sim';
import { crdKind, namespaceKind, plainKind } from './kinds.ts';
import type { Plane } from './plane.ts';

/*
 * How a cluster of OpenShift knows which machine of the fabric a node is: Node -> Machine -> BareMetalHost, along annotations. The
 * Cluster Manager is only used there.
 */

const NAMESPACE = 'openshift-machine-api';
const MACHINE = { group: 'machine.openshift.io', version: 'v1beta1', kind: 'Machine', plural: 'machines' };
const HOST = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };

/** The annotations of the nth node. */
export function chainAnnotations(n: number): Readonly<Record<string, string>> {
  return { 'machine.openshift.io/machine': `${NAMESPACE}/machine-${n}` };
}

/** Installs both kinds, and one object of each for every machine. */
export async function setChain({ client }: Plane, machines: readonly MachineSpec[]): Promise<void> {
  await done(client.create(namespaceKind, { metadata: { name: NAMESPACE } }));
  for (const names of [MACHINE, HOST]) await done(client.create(crdKind, crdOf(names)));
  const [machineKind, hostKind] = [MACHINE, HOST].map(({ group, version, kind, plural }) =>
    plainKind(group, version, kind, plural, true),
  );
  if (machineKind === undefined || hostKind === undefined) throw new Error('two kinds were named');
  for (const [n, { machUuid }] of machines.entries()) {
    const onMachine = { 'metal3.io/BareMetalHost': `${NAMESPACE}/host-${n}` };
    await done(client.create(machineKind, annotated(`machine-${n}`, onMachine)));
    await done(client.create(hostKind, annotated(`host-${n}`, { 'cluster-manager.cdi.io/machine': machUuid })));
  }
}

function annotated(name: string, annotations: Readonly<Record<string, string>>) {
  return { metadata: { name, namespace: NAMESPACE, annotations } };
}

function crdOf({ group, version, kind, plural }: typeof MACHINE) {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = [{ name: version, served: true, storage: true, schema }];
  const names = { kind, plural, singular: kind.toLowerCase() };
  return { metadata: { name: `${plural}.${group}` }, spec: { group, scope: 'Namespaced', names, versions } };
}

async function done(write: Promise<{ readonly tag: string }>): Promise<void> {
  const outcome = await write;
  if (outcome.tag !== 'done') throw new Error(`the machines cannot be described: ${JSON.stringify(outcome)}`);
}
