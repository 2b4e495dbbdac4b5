import { gadget } from '../../conformance/gadget.ts';
import { configMap, resource } from '../../conformance/objects.ts';
import type { KubectlScripts } from '../script.ts';

const STATUS = '{"status":{"conditions":[{"type":"Ready","status":"True"}],"count":5,"since":"2020-01-01T00:00:00Z"}}';

/** Commands that show what is there. */
export const reading: KubectlScripts = {
  get: async (at) => {
    await at.apply(gadget('get-a', { fragile: true, parts: [{ name: 'x' }] }, { labels: { get: 'a' } }));
    await at.apply(gadget('get-b', { colour: 'blue', size: 3 }, { labels: { get: 'b' } }));
    await at.kubectl(`patch gd get-a --subresource=status --type=merge -p ${STATUS}`);
    for (const form of [
      '',
      '-o wide',
      '-o name',
      '-o json',
      '-o yaml',
      '--show-labels',
      '-L get',
      '--sort-by=.spec.size',
    ]) {
      await at.kubectl(`get gd -l get ${form}`);
    }
    await at.kubectl('get gd -l get --chunk-size=1 -o name');
    await at.kubectl('get gd -l get --sort-by=.spec.size -o custom-columns=N:.metadata.name,S:.spec.size');
    await at.kubectl('get gadgets.v1.conformance.example.com get-a');
    await at.kubectl('get gd get-a get-b nobody');
    await at.kubectl('get gd -l get=nobody');
    await at.kubectl('get gd --field-selector spec.colour=blue -o name');
    await at.kubectl('get gd --field-selector spec.size=3');
    await at.kubectl('get toys -l get=a');
    await at.kubectl('get nothings');
    await at.kubectl('get gd -n nowhere');
    await at.kubectl('get gd -A -l get=a');
    await at.kubectl('get gd get-a --subresource=status -o jsonpath={.status.count}');
    await at.kubectl('get --raw /apis/conformance.example.com/v1');
    await at.kubectl('get --raw /nothing');
  },
  'built-in kinds': async (at) => {
    await at.apply(configMap('shown', { a: '1' }));
    await at.kubectl('get cm shown');
    await at.kubectl('describe cm shown');
    await at.kubectl('get ns default kube-system');
    await at.kubectl('get crd gadgets.conformance.example.com -o name');
    await at.kubectl('get leases -n kube-node-lease');
  },
  describe: async (at) => {
    await at.apply(gadget('shown', { parts: [{ name: 'x' }] }, { labels: { a: 'b' }, annotations: { c: 'd' } }));
    await at.kubectl(`patch gd shown --subresource=status --type=merge -p ${STATUS}`);
    await at.kubectl('describe gd shown');
    await at.apply(resource('shown'));
    await at.kubectl('describe cres shown');
    await at.kubectl('describe gd nobody');
    await at.kubectl('describe nothings');
  },
  'what is served': async (at) => {
    await at.kubectl('api-resources --api-group=conformance.example.com');
    await at.kubectl('api-resources --api-group=cro.hpsys.ibm.ie.com -o wide');
    await at.kubectl('explain gadget');
    await at.kubectl('explain gadget.spec');
    await at.kubectl('explain gadget.spec.parts');
    await at.kubectl('explain gadget --recursive');
    await at.kubectl('explain gadget.spec.nothing');
    await at.kubectl('explain nothings');
    await at.kubectl('explain composabilityrequest.spec.resource');
    await at.kubectl('explain composableresource.status');
    await at.kubectl('explain cres --api-version=cro.hpsys.ibm.ie.com/v1alpha1');
  },
};
