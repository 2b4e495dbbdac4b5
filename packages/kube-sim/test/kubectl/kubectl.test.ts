import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '../../src/base/json.ts';
import { widget } from '../fixtures.ts';
import { type Cluster, startCluster } from './kubectl.ts';

let cluster: Cluster;
const kubectl: Cluster['kubectl'] = (args, options) => cluster.kubectl(args, options);
const ok = async (args: readonly string[], options?: Parameters<Cluster['kubectl']>[1]) => {
  const ran = await kubectl(args, options);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout;
};
const yaml = (spec: object, name = 'a') => JSON.stringify(widget(name, spec));
const apply = (spec: object, name?: string, ...flags: string[]) =>
  kubectl(['apply', ...flags, '-f', '-'], { input: yaml(spec, name) });

beforeAll(async () => {
  cluster = await startCluster(async ({ command }, io) => {
    io.stdout(`${command.join(' ')}\n`);
    if (io.stdin !== undefined) for await (const chunk of io.stdin) io.stdout(chunk);
    return command[0] === 'fail' ? 3 : 0;
  });
  const status = { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.34.0' } };
  cluster.sim.objects.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] };
  cluster.sim.objects.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec,
    status: { phase: 'Running' },
  });
});
afterAll(() => cluster.stop());

describe('kubectl apply', () => {
  it('creates, leaves unchanged, changes, and shows the difference first', async () => {
    expect((await apply({ size: 1 })).stdout).toBe('widget.example.com/a created\n');
    expect((await apply({ size: 1 })).stdout).toBe('widget.example.com/a unchanged\n');
    const diff = await kubectl(['diff', '-f', '-'], { input: yaml({ size: 2 }) });
    expect(diff.code).toBe(1);
    expect(diff.stdout).toContain('-  size: 1\n+  size: 2');
    expect((await apply({ size: 2 })).stdout).toBe('widget.example.com/a configured\n');
  });

  it('tells what is wrong with an object', async () => {
    const wrong = await apply({ size: -1, colour: 'green' }, 'wrong');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('The Widget "wrong" is invalid');
    expect(wrong.stderr).toContain(
      'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
    );
    expect(wrong.stderr).toContain('spec.colour: Unsupported value: "green": supported values: "red", "blue"');
  });

  it('refuses unknown fields, or warns of them', async () => {
    const strict = await apply({ size: 1, bogus: 1 }, 'strict');
    expect(strict.stderr).toContain('strict decoding error: unknown field "spec.bogus"');
    const lenient = await apply({ size: 1, bogus: 1 }, 'lenient', '--validate=warn');
    expect([lenient.code, lenient.stderr]).toEqual([0, 'Warning: unknown field "spec.bogus"\n']);
  });

  it('is told that there is no server-side apply', async () => {
    const ran = await apply({ size: 1 }, 'a', '--server-side');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('server-side apply is not supported by this server');
  });

  it('of a CustomResourceDefinition serves it at once', async () => {
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', description: 'What a thing is.' } } },
      },
    };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.org' },
      spec: { group: 'example.org', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions: [version] },
    };
    await ok(['apply', '-f', '-'], { input: JSON.stringify(crd) });
    await ok(['wait', '--for=condition=Established', 'crd/things.example.org', '--timeout=10s']);
    await ok(['create', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 't' } }),
    });
    expect(await ok(['get', 'things', '-o', 'name'])).toBe('thing.example.org/t\n');
    expect(await ok(['explain', 'thing.spec'])).toContain('What a thing is.');
  });
});

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

describe('kubectl delete, wait, patch, exec', () => {
  it('waits for a condition, a value, and a deletion', async () => {
    await apply({ size: 1 }, 'awaited');
    const waits = [
      ok(['wait', 'wd/awaited', '--for=condition=Ready', '--timeout=30s']),
      ok(['wait', 'wd/awaited', '--for=jsonpath={.status.state}=On', '--timeout=30s']),
    ];
    await ok([
      'patch',
      'wd',
      'awaited',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"state":"On","conditions":[{"type":"Ready","status":"True"}]}}',
    ]);
    expect(await Promise.all(waits)).toEqual(Array(2).fill('widget.example.com/awaited condition met\n'));
    const gone = ok(['wait', 'wd/awaited', '--for=delete', '--timeout=30s']);
    await ok(['delete', 'wd', 'awaited']);
    await gone;
  });

  it('deletes what a finalizer holds only when it lets go', async () => {
    await apply({ size: 1 }, 'held');
    await ok(['patch', 'wd', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":["x/y"]}}']);
    expect(await ok(['delete', 'wd', 'held', '--wait=false'])).toBe('widget.example.com "held" deleted\n');
    expect(await ok(['get', 'wd', 'held', '-o', 'jsonpath={.metadata.deletionTimestamp}'])).toMatch(/Z$/u);
    const deleting = ok(['delete', 'wd', 'held']);
    await ok([
      'patch',
      'wd',
      'held',
      '--type=json',
      '-p',
      '[{"op":"test","path":"/metadata/finalizers/0","value":"x/y"},{"op":"remove","path":"/metadata/finalizers"}]',
    ]);
    await deleting;
    expect((await kubectl(['get', 'wd', 'held'])).code).toBe(1);
  });

  it('patches a node the strategic way, cordons and taints it', async () => {
    await ok(['cordon', 'n1']);
    await ok(['taint', 'node', 'n1', 'a=b:NoSchedule']);
    expect(cluster.sim.objects.get('nodes', 'n1')).toMatchObject({
      spec: { unschedulable: true, taints: [{ key: 'a', value: 'b' }] },
    });
    const failed = await kubectl([
      'patch',
      'wd',
      'a',
      '--type=json',
      '-p',
      '[{"op":"test","path":"/spec/size","value":77}]',
    ]);
    expect(failed.stderr).toBe(
      'The request is invalid: the server rejected our request due to an error in our request\n',
    );
  });

  it('runs a command in a pod', async () => {
    expect(await ok(['exec', 'p', '--', 'say', 'hello'])).toBe('say hello\n');
    expect(await ok(['exec', '-i', 'p', '--', 'cat'], { input: 'piped' })).toBe('cat\npiped');
    const failed = await kubectl(['exec', 'p', '--', 'fail']);
    expect([failed.code, failed.stderr]).toEqual([3, 'command terminated with exit code 3\n']);
  });
});

describe('kubectl create', () => {
  it('makes namespaces, Secrets and ConfigMaps', async () => {
    await ok(['create', 'namespace', 'made']);
    await ok(['create', 'secret', 'generic', 's', '-n', 'made', '--from-literal=user=me', '--from-literal=empty=']);
    await ok(['create', 'configmap', 'c', '-n', 'made', '--from-literal=key=välue']);
    expect(await ok(['get', 'secret', 's', '-n', 'made', '-o', 'jsonpath={.data.user}'])).toBe(
      Buffer.from('me').toString('base64'),
    );
    expect(await ok(['get', 'configmap', 'c', '-n', 'made', '-o', 'jsonpath={.data.key}'])).toBe('välue');
    await ok(['delete', 'namespace', 'made', '--timeout=30s']);
  });
});

it('kubectl knows what is served', async () => {
  expect(await ok(['api-resources', '-o', 'name'])).toContain('widgets.example.com\n');
  expect(await ok(['api-versions'])).toContain('resource.k8s.io/v1\n');
  expect(await ok(['version'])).toContain('Server Version: v1.34');
});
