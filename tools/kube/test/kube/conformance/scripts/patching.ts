import { gadget, GADGETS } from '../gadget.ts';
import { configMap, MAPS, metaOf, NODES, resource, RESOURCES, type Scripts } from '../objects.ts';

/** PATCH in its forms. */
export const patching: Scripts = {
  'JSON patches with tests': async (api) => {
    const { uid, resourceVersion } = metaOf(await api.post(RESOURCES, resource('tests')));
    const path = `${RESOURCES}/tests/status?fieldValidation=Strict`;
    const add = { op: 'add', path: '/status', value: { state: 'Attaching' } };
    const sameUid = { op: 'test', path: '/metadata/uid', value: uid };
    await api.jsonPatch(path, { op: 'test', path: '/metadata/uid', value: 'another' }, add);
    await api.jsonPatch(path, { op: 'test', path: '/status/operation/id', value: 'x' }, add);
    await api.jsonPatch(path, sameUid, { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, add);
    await api.jsonPatch(path, sameUid, { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, add);
    await api.jsonPatch(path, sameUid, add);
    await api.jsonPatch(`${RESOURCES}/nobody`, sameUid, { op: 'remove', path: '/metadata/finalizers/0' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'remove', path: '/metadata/finalizers/0' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/spec/nothing', value: 1 });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/metadata/name', value: 'other' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'replace', path: '/metadata/uid', value: 'other' });
    await api.jsonPatch(`${RESOURCES}/tests`, { op: 'nonsense', path: '/spec' });
  },
  'JSON patches that cannot be applied': async (api) => {
    await api.post(GADGETS, gadget('json', { parts: [{ name: 'a' }, { name: 'b' }] }));
    const path = `${GADGETS}/json`;
    await api.jsonPatch(path, { op: 'add', path: '/spec/parts/1', value: { name: 'c' } });
    await api.jsonPatch(path, { op: 'add', path: '/spec/parts/-', value: { name: 'a' } });
    await api.jsonPatch(path, { op: 'add', path: '/spec/parts/9', value: { name: 'd' } });
    await api.jsonPatch(path, { op: 'remove', path: '/spec/parts/9' });
    await api.jsonPatch(path, { op: 'remove', path: '/spec/nobody' });
    await api.jsonPatch(path, { op: 'add', path: '/spec/none/deep', value: 1 });
    await api.jsonPatch(path, { op: 'add', path: 'spec', value: 1 });
    await api.jsonPatch(path, { op: 'add', path: '/spec/size' });
    await api.jsonPatch(path, { op: 'move', from: '/spec/size', path: '/spec/low' });
    await api.jsonPatch(path, { op: 'copy', from: '/spec/size', path: '/spec/low' });
    await api.jsonPatch(path, { op: 'move', path: '/spec/low' });
    await api.jsonPatch(path, { op: 'test', path: '/spec/size', value: '1' });
    await api.jsonPatch(path, { op: 'test', path: '/spec/note', value: null });
    await api.jsonPatch(path, { op: 'add', path: '/metadata/labels/a', value: 'b' });
    await api.jsonPatch(path, { op: 'add', path: '/metadata/annotations', value: { 'a/b~c': 'd' } });
    await api.jsonPatch(path, { op: 'replace', path: '/metadata/annotations/a~1b~0c', value: 'e' });
    await api.jsonPatch(path);
    await api.get(path);
  },
  'patches that are none': async (api) => {
    await api.post(GADGETS, gadget('none'));
    const path = `${GADGETS}/none`;
    const send = (form: string, text: string) =>
      api.ask({ method: 'PATCH', path, type: `application/${form}+json`, text });
    for (const form of ['json-patch', 'merge-patch']) {
      for (const text of ['7', '"x"', 'null', '{}', '[]', '[7]', '{"spec":7}', '[{"path":"/spec"}]']) {
        await send(form, text);
      }
    }
  },
  'patches of other media types': async (api) => {
    await api.post(GADGETS, gadget('media'));
    await api.post(MAPS, configMap('media'));
    for (const type of ['application/json', 'text/plain', 'application/strategic-merge-patch+json']) {
      await api.ask({ method: 'PATCH', path: `${GADGETS}/media`, type, text: '{}' });
      await api.ask({ method: 'PATCH', path: `${MAPS}/media`, type, text: '{}' });
    }
  },
  'merge patches': async (api) => {
    await api.post(GADGETS, gadget('merge', { note: 'x', labels: { a: 'b' }, free: { a: { b: 1 } } }));
    const path = `${GADGETS}/merge`;
    await api.mergePatch(path, { spec: { note: null, labels: { a: null, c: 'd' }, free: { a: { b: null, c: 2 } } } });
    await api.mergePatch(path, { spec: { labels: null, nested: null, colour: null, parts: [{ name: 'a' }] } });
    await api.mergePatch(path, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } });
    await api.mergePatch(path, { metadata: { labels: { a: null }, annotations: null } });
    await api.mergePatch(path, { metadata: null });
    await api.mergePatch(path, { metadata: { name: 'other' } });
    await api.mergePatch(path, { metadata: { namespace: 'other' } });
    await api.mergePatch(path, { metadata: { resourceVersion: '1' } });
    await api.mergePatch(path, { kind: 'Gizmo' });
    await api.mergePatch(`${GADGETS}/nobody`, { spec: { size: 2 } });
    await api.mergePatch(`${path}/nothing`, { spec: { size: 2 } });
  },
  'strategic patches of built-in kinds': async (api) => {
    await api.post(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'strategic' } });
    const path = `${NODES}/strategic`;
    const condition = { type: 'Ready', status: 'True', reason: 'r', message: 'm' };
    await api.strategicPatch(`${path}/status`, { status: { conditions: [condition] } });
    await api.strategicPatch(`${path}/status`, { status: { conditions: [{ type: 'Other', status: 'False' }] } });
    await api.strategicPatch(`${path}/status`, { status: { conditions: [{ type: 'Ready', $patch: 'delete' }] } });
    await api.strategicPatch(path, { metadata: { finalizers: ['a.example.com/x'], labels: { a: 'b' } } });
    await api.strategicPatch(path, { metadata: { finalizers: ['a.example.com/y'] } });
    await api.strategicPatch(path, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.example.com/x'] } });
    await api.strategicPatch(path, { metadata: { labels: { $patch: 'replace', c: 'd' } } });
    await api.strategicPatch(path, { spec: { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    await api.strategicPatch(path, { metadata: { finalizers: null } });
    await api.delete(path);
  },
};
