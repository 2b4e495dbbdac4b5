import { gadget, GADGETS } from '../gadget.ts';
import { metaOf, type Scripts } from '../objects.ts';

/** What a schema says of values. */
export const validating: Scripts = {
  types: async (api) => {
    const wrong = [{ size: '1' }, { size: null }, { size: true }, { size: [] }, { size: {} }];
    for (const spec of wrong) await api.post(GADGETS, gadget('type', spec));
    await api.post(GADGETS, gadget('type', { fragile: 'yes' }));
    await api.post(GADGETS, gadget('type', { code: 7 }));
    await api.post(GADGETS, gadget('type', { parts: 'x' }));
    await api.post(GADGETS, gadget('type', { parts: [7] }));
    await api.post(GADGETS, gadget('type', { labels: { a: 1 } }));
    await api.post(GADGETS, gadget('type', { labels: [] }));
    await api.post(GADGETS, gadget('type', { port: 1.5 }));
    await api.post(GADGETS, gadget('type', { port: true }));
    await api.post(GADGETS, gadget('type', { free: 7 }));
    await api.post(GADGETS, { ...gadget('type'), spec: 'x' });
    await api.post(GADGETS, { ...gadget('type'), spec: null });
    await api.post(GADGETS, { ...gadget('type'), spec: [] });
  },
  bounds: async (api) => {
    const wrong = [
      { size: 0 },
      { size: 11 },
      { size: 3_000_000_000 },
      { ratio: 0 },
      { step: 0.7 },
      { ratio: -1 },
      { colour: 'green' },
      { colour: '' },
      { code: 'a' },
      { code: 'AAAAAA' },
      { code: 'ab' },
      { code: 'Ä' },
      { tags: ['a', 'b', 'c', 'd'] },
      { tags: ['a', 'a'] },
      { parts: [{ name: 'a' }, { name: 'a' }] },
      { parts: [{ weight: 2 }] },
      { parts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] },
      { labels: { a: '1', b: '2', c: '3' } },
      { at: 'yesterday' },
    ];
    for (const spec of wrong) await api.post(GADGETS, gadget('bound', spec));
  },
  'defaults and what is pruned': async (api) => {
    const { uid } = metaOf(await api.post(GADGETS, gadget('defaults', { parts: [{ name: 'a' }], bogus: 1 })));
    await api.post(GADGETS, gadget('defaults-null', { note: null, colour: null, nested: null, fixed: null }));
    await api.post(
      GADGETS,
      gadget('defaults-free', { free: { any: { thing: [1, null, { a: null }] } }, port: 'http' }),
    );
    await api.post(GADGETS, { ...gadget('defaults-none'), spec: undefined });
    await api.post(GADGETS, { ...gadget('defaults-top'), top: 1, status: { count: 1 } });
    await api.mergePatch(`${GADGETS}/defaults/status`, {
      status: { bogus: uid, conditions: [{ type: 'A', status: 'True', x: 1 }] },
    });
    await api.get(`${GADGETS}/defaults`);
  },
  'rules of change': async (api) => {
    await api.post(GADGETS, gadget('rules', { fixed: 'a' }));
    const path = `${GADGETS}/rules`;
    await api.mergePatch(path, { spec: { fixed: null } });
    await api.mergePatch(path, { spec: { fixed: 'b' } });
    await api.mergePatch(path, { spec: { low: 1, high: 2 } });
    await api.mergePatch(`${path}/status`, { status: { count: -1 } });
    await api.mergePatch(`${path}/status`, { status: { conditions: [{ type: 'A', status: 'Maybe' }] } });
    await api.mergePatch(`${path}/status`, { status: { conditions: [{ type: 'A' }] } });
    await api.mergePatch(`${path}/status`, { status: { conditions: 'x' } });
    await api.mergePatch(`${path}/status`, { status: { count: 'x' } });
  },
};
