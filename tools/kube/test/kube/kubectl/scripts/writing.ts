import { gadget } from '../../conformance/gadget.ts';
import { configMap, request, resource } from '../../conformance/objects.ts';
import type { KubectlScripts } from '../script.ts';

const BOGUS = gadget('bogus', { size: 1, bogus: true, nested: { odd: 1 } });

/** Commands that change objects. */
export const writing: KubectlScripts = {
  apply: async (at) => {
    const metadata = { labels: { app: 'x' }, annotations: { note: 'a' } };
    await at.apply(gadget('apply', { size: 1, note: 'n' }, metadata));
    await at.apply(gadget('apply', { size: 1, note: 'n' }, metadata));
    await at.kubectl('diff -f -', { input: gadget('apply', { size: 2 }, metadata) });
    await at.apply(gadget('apply', { size: 2 }), '--dry-run=server');
    await at.apply(gadget('apply', { size: 2 }));
    await at.kubectl('get gd apply -o yaml');
    await at.apply(gadget('apply', { size: 99 }));
    await at.apply(gadget('apply', { size: 2 }), '-o yaml');
    await at.apply(configMap('apply', { a: '1', b: '2' }));
    await at.apply(configMap('apply', { a: '1', c: '3' }));
    await at.kubectl('get cm apply -o yaml');
    await at.kubectl('replace -f -', { input: gadget('apply', { size: 4 }) });
    await at.kubectl('diff -f -', { input: gadget('apply', { size: 4 }) });
  },
  'apply of our kinds': async (at) => {
    await at.apply(request('kubectl', { size: 2 }));
    await at.apply(request('kubectl', { size: 1 }));
    await at.apply(request('kubectl', { size: -1 }));
    await at.apply(resource('kubectl', { type: 'tpu' }));
    await at.kubectl('get composabilityrequests kubectl -o yaml');
    await at.kubectl('delete composabilityrequest kubectl');
  },
  'create, with fields that nobody knows': async (at) => {
    await at.kubectl('create -f -', { input: BOGUS });
    await at.kubectl('create -f - --validate=warn', { input: BOGUS });
    await at.kubectl('create -f - --validate=ignore', { input: { ...BOGUS, metadata: { name: 'bogus-ignored' } } });
    await at.kubectl('create -f -', { input: gadget('bogus') });
    await at.kubectl('create -f -', { input: { ...gadget('other'), kind: 'Gizmo' } });
    await at.kubectl('create -f -', { input: { ...gadget('other'), apiVersion: 'nobody.example.com/v1' } });
    await at.kubectl('create -f -', { input: { ...configMap('bogus'), bogus: 1 } });
    await at.kubectl('create configmap made --from-literal=a=1');
    await at.kubectl('create secret generic made --from-literal=a=1');
    await at.kubectl('create namespace made');
  },
  edit: async (at) => {
    await at.apply(gadget('edit'));
    const editor = (script: string) => ({ env: { KUBE_EDITOR: `sed -i ${script}` } });
    await at.kubectl('edit gd edit', editor('s/size:.1$/size:\\ 3/'));
    await at.kubectl('edit gd edit', editor('s/nothing/else/'));
    await at.kubectl('edit gd edit', editor('s/size:.3$/size:\\ 99/'));
    await at.kubectl('edit gd edit --subresource=status', editor('$astatus:\\\\n\\ \\ count:\\ 2'));
    await at.kubectl('get gd edit -o jsonpath={.spec.size},{.status.count},{.metadata.generation}');
    await at.kubectl('edit gd nobody', editor('s/a/b/'));
  },
  'patch, label, annotate': async (at) => {
    await at.apply(gadget('patch'));
    await at.kubectl('patch gd patch --type=merge -p {"spec":{"size":2}}');
    await at.kubectl('patch gd patch --type=merge -p {"spec":{"size":2}}');
    await at.kubectl('patch gd patch --type=json -p [{"op":"replace","path":"/spec/size","value":3}]');
    await at.kubectl('patch gd patch --type=json -p [{"op":"test","path":"/spec/size","value":7}]');
    await at.kubectl('patch gd patch -p {"spec":{"size":2}}');
    await at.kubectl('patch gd patch --type=merge -p {"spec":{"size":99}}');
    await at.kubectl('patch gd patch --type=merge --subresource=status -p {"status":{"count":3}}');
    await at.kubectl('patch gd nobody --type=merge -p {}');
    await at.kubectl('label gd patch a=b');
    await at.kubectl('label gd patch a=c');
    await at.kubectl('label gd patch a=c --overwrite');
    await at.kubectl('label gd patch a- b-');
    await at.kubectl("label gd patch 'a b=c'");
    await at.kubectl('annotate gd patch note=x');
    await at.kubectl('annotate gd patch note-');
    await at.kubectl('label cm made a=b');
    await at.kubectl('get gd patch --show-labels');
  },
};
