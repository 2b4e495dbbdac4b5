import { accessTo, type Access, type Verb } from '@cro/kube-runtime';
import { NAMESPACE } from './names.ts';

const READ: readonly Verb[] = ['get', 'list', 'watch'];
const ALL: readonly Verb[] = [...READ, 'create', 'update', 'patch', 'delete'];
const OWN = 'cro.hpsys.ibm.ie.com';

/** What the Go operator's role grants (its manifests, by the facts that are known of them); nothing about ConfigMaps and events. */
export const goOperatorRole: readonly Access[] = [
  grant('', 'nodes', READ),
  grant('', 'pods', READ),
  grant('', 'pods/exec', ['create']),
  { ...grant('', 'secrets', ['get']), namespace: NAMESPACE, names: ['credentials'] },
  grant('apps', 'daemonsets', [...READ, 'update']),
  grant('machine.openshift.io', 'machines', READ),
  grant('metal3.io', 'baremetalhosts', READ),
  grant('resource.k8s.io', 'resourceslices', [...READ, 'update', 'patch']),
  grant('resource.k8s.io', 'devicetaintrules', ALL),
  ...['composabilityrequests', 'composableresources'].flatMap((plural) => [
    grant(OWN, plural, ALL),
    grant(OWN, `${plural}/status`, ['get', 'update', 'patch']),
    grant(OWN, `${plural}/finalizers`, ['update']),
  ]),
];

function grant(group: string, plural: string, verbs: readonly Verb[]): Access {
  return accessTo({ group, plural }, verbs, { without: 'nothing that a test asks about', need: 'optional' });
}
