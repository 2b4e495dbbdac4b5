import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench, widget, WIDGETS } from './fixtures.ts';
import { listAt, stringAt } from '../src/base/json.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const names = (list: Parameters<typeof listAt>[0]) =>
  listAt(list, 'items').map((item) => stringAt(item, 'metadata', 'name'));

async function fill(bench: Bench, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const labels = { number: String(index), parity: index % 2 === 0 ? 'even' : 'odd' };
    await bench.ask('POST', WIDGETS, widget(`w${String(index)}`, { size: index }, { labels }));
  }
}

describe('a list', () => {
  it.each([
    ['labelSelector=parity%3Deven', ['w0', 'w2']],
    ['labelSelector=parity!%3Deven', ['w1', 'w3']],
    ['labelSelector=number+in+(1,+3)', ['w1', 'w3']],
    ['labelSelector=number+notin+(1,3),parity', ['w0', 'w2']],
    ['labelSelector=!parity', []],
    ['fieldSelector=metadata.name%3Dw1', ['w1']],
    ['fieldSelector=metadata.name!%3Dw1', ['w0', 'w2', 'w3']],
  ])('with %s picks %j', async (query, expected) => {
    const bench = createBench();
    await fill(bench, 4);
    expect(names((await bench.ask('GET', `${WIDGETS}?${query}`)).body)).toEqual(expected);
  });

  it.each([
    ['labelSelector=a+like+b', 'unable to parse requirement'],
    ['fieldSelector=spec.size%3D1', 'field label not supported: spec.size'],
    ['fieldSelector=nonsense', "can't understand 'nonsense'"],
    ['resourceVersion=abc', 'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint'],
    ['continue=abc', 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0'],
  ])('refuses %s', async (query, text) => {
    const { ask } = createBench();
    const answer = await ask('GET', `${WIDGETS}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toContain(text);
  });

  it('knows the field labels of built-in kinds', async () => {
    const { ask, sim } = createBench();
    const pod = (name: string, nodeName: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { nodeName },
    });
    sim.objects.put(pod('a', 'n1'));
    sim.objects.put(pod('b', 'n2'));
    expect(names((await ask('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2')).body)).toEqual(['b']);
  });

  it('is paged, and each page shows the same moment', async () => {
    const bench = createBench();
    await fill(bench, 5);
    const first = await bench.ask('GET', `${WIDGETS}?limit=2`);
    expect([names(first.body), first.body['metadata']]).toMatchObject([['w0', 'w1'], { remainingItemCount: 3 }]);
    await bench.ask('DELETE', `${WIDGETS}/w3`);
    await bench.ask('POST', WIDGETS, widget('w35'));
    await bench.ask('PATCH', `${WIDGETS}/w4`, { spec: { size: 99 } }, MERGE);
    const token = stringAt(first.body, 'metadata', 'continue') ?? '';
    const second = await bench.ask('GET', `${WIDGETS}?limit=10&continue=${token}`);
    expect(names(second.body)).toEqual(['w2', 'w3', 'w4']);
    expect(listAt(second.body, 'items')[2]).toMatchObject({ spec: { size: 4 } });
    expect(stringAt(second.body, 'metadata', 'resourceVersion')).toBe(
      stringAt(first.body, 'metadata', 'resourceVersion'),
    );
    expect(second.body['metadata']).toMatchObject({ continue: '' });
  });

  it('whose moment is forgotten gets 410, with a token to go on at the newest', async () => {
    const bench = createBench();
    await fill(bench, 4);
    const first = await bench.ask('GET', `${WIDGETS}?limit=2`);
    await bench.ask('POST', WIDGETS, widget('w9'));
    bench.sim.compact();
    const late = await bench.ask(
      'GET',
      `${WIDGETS}?limit=2&continue=${stringAt(first.body, 'metadata', 'continue') ?? ''}`,
    );
    expect(late.body).toMatchObject({ code: 410, reason: 'Expired' });
    const onward = stringAt(late.body, 'metadata', 'continue') ?? '';
    expect(names((await bench.ask('GET', `${WIDGETS}?continue=${onward}`)).body)).toEqual(['w2', 'w3', 'w9']);
  });

  it('can be had as it was at a version', async () => {
    const bench = createBench();
    await fill(bench, 2);
    const { body: before } = await bench.ask('GET', WIDGETS);
    await bench.ask('DELETE', `${WIDGETS}/w0`);
    const version = stringAt(before, 'metadata', 'resourceVersion') ?? '';
    const exact = await bench.ask('GET', `${WIDGETS}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect(exact.body).toEqual(before);
    bench.sim.compact();
    const late = await bench.ask('GET', `${WIDGETS}?resourceVersion=${version}&resourceVersionMatch=Exact`);
    expect(late.body['message']).toBe('The resourceVersion for the provided list is too old.');
  });

  it('in pages is the list as it was at the first page, whatever happens in between', async () => {
    const change = fc.record({
      index: fc.integer({ min: 0, max: 9 }),
      what: fc.constantFrom('create', 'delete', 'patch'),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(change, { maxLength: 12 }), async (limit, changes) => {
        const bench = createBench();
        await fill(bench, 6);
        const { body: whole } = await bench.ask('GET', WIDGETS);
        const items: unknown[] = [];
        const waiting = [...changes];
        let token = '';
        do {
          const page = await bench.ask('GET', `${WIDGETS}?limit=${String(limit)}&continue=${token}`);
          items.push(...listAt(page.body, 'items'));
          const metadata = page.body['metadata'] as { continue?: string; remainingItemCount?: number };
          token = metadata.continue ?? '';
          expect(metadata.remainingItemCount ?? 0).toBe(6 - items.length);
          for (const { index, what } of waiting.splice(0, 3)) {
            const name = `w${String(index)}`;
            if (what === 'create') await bench.ask('POST', WIDGETS, widget(name));
            if (what === 'delete') await bench.ask('DELETE', `${WIDGETS}/${name}`);
            if (what === 'patch') await bench.ask('PATCH', `${WIDGETS}/${name}`, { spec: { size: 77 } }, MERGE);
          }
        } while (token !== '');
        expect(items).toEqual(whole['items']);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a representation', () => {
  it('as a table has the printer columns', async () => {
    const { ask, clock } = createBench();
    await ask('POST', WIDGETS, widget('a', { size: 3 }));
    await ask(
      'PATCH',
      `${WIDGETS}/a/status`,
      { status: { state: 'On', conditions: [{ type: 'Ready', status: 'True' }] } },
      MERGE,
    );
    clock.advance(90_000);
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
    const { body } = await ask('GET', WIDGETS, undefined, { accept });
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(
      listAt(body, 'columnDefinitions').map((column) => [stringAt(column, 'name'), stringAt(column, 'type')]),
    ).toEqual([
      ['Name', 'string'],
      ['State', 'string'],
      ['Size', 'integer'],
      ['Ready', 'string'],
      ['Age', 'date'],
    ]);
    expect(body['rows']).toMatchObject([
      { cells: ['a', 'On', 3, 'True', '90s'], object: { kind: 'PartialObjectMetadata' } },
    ]);
  });

  it('as metadata leaves the rest out', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { body } = await ask('GET', WIDGETS, undefined, { accept });
    expect(body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    });
    expect(listAt(body, 'items')[0]).not.toHaveProperty('spec');
  });

  it('that is not made here is not acceptable', async () => {
    const { ask } = createBench();
    expect((await ask('GET', WIDGETS, undefined, { accept: 'application/vnd.kubernetes.protobuf' })).status).toBe(406);
  });
});
