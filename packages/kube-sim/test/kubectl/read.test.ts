import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '../../src/base/json.ts';
import { type Cluster, createAssistant, startCluster } from './kubectl.ts';

let cluster: Cluster;
const { kubectl, ok, apply } = createAssistant(() => cluster);

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

describe('kubectl get', () => {
  it('prints the columns of the CRD, more with -o wide, and knows short names and categories', async () => {
    await apply({ size: 5 }, 'columns');
    await ok([
      'patch',
      'wd',
      'columns',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"state":"On","conditions":[{"type":"Ready","status":"True"}]}}',
    ]);
    expect(await ok(['get', 'wd', 'columns'])).toMatch(/^NAME +STATE +SIZE +AGE\ncolumns +On +5 +\d+s\n$/u);
    expect(await ok(['get', 'widgets', 'columns', '-o', 'wide'])).toMatch(
      /^NAME +STATE +SIZE +READY +AGE\ncolumns +On +5 +True +\d+s\n$/u,
    );
    expect(await ok(['get', 'all', '-A'])).toContain('widget.example.com/columns');
  });

  it('selects by label and field, and in pages', async () => {
    await apply({ size: 1 }, 'chosen');
    await ok(['label', 'wd', 'chosen', 'pick=me']);
    expect(await ok(['get', 'wd', '-l', 'pick=me', '-o', 'name'])).toBe('widget.example.com/chosen\n');
    expect(await ok(['get', 'wd', '--field-selector', 'metadata.name=chosen', '-o', 'name'])).toBe(
      'widget.example.com/chosen\n',
    );
    const all = await ok(['get', 'wd', '-o', 'name']);
    expect(await ok(['get', 'wd', '-o', 'name', '--chunk-size=1'])).toBe(all);
    const wrong = await kubectl(['get', 'wd', '--field-selector', 'spec.size=1']);
    expect(wrong.stderr).toContain('field label not supported: spec.size');
  });

  it('-w follows what happens', async () => {
    const lines: string[] = [];
    let wake: () => void = () => undefined;
    const stop = cluster.follow(['get', 'wd', '-w', '--field-selector', 'metadata.name=followed'], (line) => {
      lines.push(line);
      wake();
    });
    const until = async (text: RegExp) => {
      while (!lines.some((line) => text.test(line))) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    await apply({ size: 1 }, 'followed');
    await until(/^followed +1 /u);
    await ok(['patch', 'wd', 'followed', '--type=merge', '-p', '{"spec":{"size":8}}']);
    await until(/^followed +8 /u);
    await stop();
  });

  it('of what is not there says so', async () => {
    expect((await kubectl(['get', 'wd', 'nobody'])).stderr).toBe(
      'Error from server (NotFound): widgets.example.com "nobody" not found\n',
    );
    expect((await kubectl(['get', 'gizmos'])).stderr).toBe(
      'error: the server doesn\'t have a resource type "gizmos"\n',
    );
  });

  it('shows nodes, pods and namespaces as kubectl’s users know them', async () => {
    expect(await ok(['get', 'nodes'])).toMatch(
      /^NAME +STATUS +ROLES +VERSION +AGE\nn1 +Ready +<none> +v1\.34\.0 +\d+s\n$/u,
    );
    expect(await ok(['get', 'pods'])).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE\np +0\/1 +Running +0 +\d+s\n$/u);
    expect(await ok(['get', 'ns', 'default'])).toMatch(/default +Active/u);
  });
});

describe('kubectl describe, events, explain, edit', () => {
  it('shows an object with its events', async () => {
    await apply({ size: 1 }, 'eventful');
    const object = cluster.sim.objects.get('widgets.example.com', 'eventful');
    const involvedObject = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      name: 'eventful',
      uid: stringAt(object, 'metadata', 'uid'),
    };
    const time = new Date().toISOString().replace(/\.\d+/u, '');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e1', namespace: 'default' },
      involvedObject,
      reason: 'Grown',
      message: 'it grew',
      type: 'Normal',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      source: { component: 'test' },
    };
    await ok(['create', '-f', '-'], { input: JSON.stringify(event) });
    const described = await ok(['describe', 'wd', 'eventful']);
    expect(described).toMatch(/Spec:\n +Colour: +red\n +Size: +1/u);
    expect(described).toMatch(/Normal +Grown +\d+s +test +it grew/u);
    expect(await ok(['events'])).toMatch(
      /LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\d+s +Normal +Grown +Widget\/eventful +it grew/u,
    );
    expect(await ok(['events', '--for', 'widget.example.com/eventful'])).toContain('it grew');
    expect(await ok(['get', 'events'])).toMatch(/Normal +Grown +widget\/eventful +it grew/u);
  });

  it('describes nodes and pods', async () => {
    expect(await ok(['describe', 'node', 'n1'])).toContain('Kubelet Version:            v1.34.0');
    expect(await ok(['describe', 'pod', 'p'])).toContain('Node:         n1/');
  });

  it('explains fields by the schema', async () => {
    expect(await ok(['explain', 'widget'])).toContain('A Widget is something that is made in sizes.');
    expect(await ok(['explain', 'widget.spec'])).toMatch(/size\t<integer> -required-\n +How big it is\./u);
  });

  it('edits', async () => {
    await apply({ size: 1 }, 'edited');
    expect(await ok(['edit', 'wd', 'edited'], { env: { KUBE_EDITOR: 'sed -i s/size:.*/size:\\ 7/' } })).toBe(
      'widget.example.com/edited edited\n',
    );
    expect(await ok(['get', 'wd', 'edited', '-o', 'jsonpath={.spec.size}'])).toBe('7');
  });
});

it('kubectl knows what is served', async () => {
  expect(await ok(['api-resources', '-o', 'name'])).toContain('widgets.example.com\n');
  expect(await ok(['api-versions'])).toContain('resource.k8s.io/v1\n');
  expect(await ok(['version'])).toContain('Server Version: v1.34');
});
