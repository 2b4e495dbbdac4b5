import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectAt } from '../../src/base/json.ts';
import { type Cluster, createAssistant, startCluster, until } from './kubectl.ts';

let cluster: Cluster;
const { kubectl, ok, apply, yaml } = createAssistant(() => cluster);

beforeAll(async () => {
  cluster = await startCluster();
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

describe('kubectl delete, wait, patch, exec', () => {
  it('waits for a condition, a value, and a deletion', async () => {
    await apply({ size: 1 }, 'awaited');
    const waits = [
      ok(['wait', 'wd/awaited', '--for=condition=Ready', '--timeout=30s']),
      ok(['wait', 'wd/awaited', '--for=jsonpath={.status.state}=On', '--timeout=30s']),
    ];
    await until(() => cluster.sim.openWatches() === 2);
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
    await until(() => cluster.sim.openWatches() === 1);
    await ok(['delete', 'wd', 'awaited']);
    await gone;
  });

  it('deletes what a finalizer holds only when it lets go', async () => {
    await apply({ size: 1 }, 'held');
    await ok(['patch', 'wd', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":["x/y"]}}']);
    const deleting = ok(['delete', 'wd', 'held']);
    await until(
      () =>
        objectAt(cluster.sim.objects.get('widgets.example.com', 'held'), 'metadata')['deletionTimestamp'] !== undefined,
    );
    const patch = [
      { op: 'test', path: '/metadata/finalizers/0', value: 'x/y' },
      { op: 'remove', path: '/metadata/finalizers' },
    ];
    await ok(['patch', 'wd', 'held', '--type=json', '-p', JSON.stringify(patch)]);
    expect(await deleting).toBe('widget.example.com "held" deleted\n');
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
