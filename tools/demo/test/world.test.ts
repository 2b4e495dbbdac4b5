import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '@cro/clock';
import { createExec } from '@cro/kube-runtime/exec';
import { loadCluster } from '@cro/kube-runtime/kubeconfig';
import { NODE_AGENT, podName } from '@cro/node-sim';
import { afterEach, describe, expect, test } from 'vitest';
import { GPU_NODES, startWorld, type SimWorld, type WorldOptions } from '../src/index.ts';

let open: SimWorld | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function world(options: Partial<WorldOptions> = {}): Promise<SimWorld> {
  open = await startWorld({ clock: systemClock, random: Math.random, ...options });
  return open;
}

/** A stand-in for the operator: a program of a line. */
function program(text: string): readonly string[] {
  return ['--input-type=commonjs', '--eval', text, '--'];
}

describe('a world', () => {
  test('has nodes, credentials, our kinds and a kubeconfig, and leaves nothing behind', async () => {
    const { kube, kubeconfigPath, close, requests, operatorCounts } = await world({ nodes: 2 });
    expect(kube.objects.count('nodes')).toBe(2);
    expect(kube.objects.get('secrets', 'credentials', 'composable-resource-operator-system')).toBeDefined();
    expect(kube.objects.count('composableresources.cro.hpsys.ibm.ie.com')).toBe(0);
    expect(requests.synced).toBe(true);
    expect(readFileSync(kubeconfigPath, 'utf8')).toContain('https://127.0.0.1:');
    expect(operatorCounts()).toEqual({ writes: 0, leases: 0, reads: 0, watches: 0, execs: 0 });
    await close();
    open = undefined;
    expect(existsSync(dirname(kubeconfigPath))).toBe(false);
  });

  test('runs commands in the pods that its nodes have, and minds what is done to their GPUs', async () => {
    const { kubeconfigPath, fabric, machines, operatorCounts } = await world({
      ...{ nodes: 1, devices: 1, equipment: GPU_NODES },
      operatorCommand: program(''),
    });
    const loaded = loadCluster({ clock: systemClock, kubeconfig: kubeconfigPath });
    if (loaded.tag === 'invalid') throw new Error(loaded.message);
    const { transport } = loaded.cluster;
    const [device = ''] = fabric.snapshot().free;
    fabric.move(device, machines.get('worker-0'));
    const exec = createExec({ transport, clock: systemClock });
    const argv = ['/bin/chroot', '/host-root', '/usr/bin/nvidia-smi', '-L'];
    const place = { namespace: NODE_AGENT.namespace, pod: podName(NODE_AGENT, 'worker-0') };
    const answer = await exec({ ...place, container: 'cro-node-agent', argv, deadlineMs: 60_000 });
    transport.close();
    expect(answer).toMatchObject({ tag: 'exited', code: 0, stdout: expect.stringMatching(/^GPU 0: /) as string });
    expect(operatorCounts()).toMatchObject({ execs: 1, reads: 0 });
    fabric.move(device, undefined);
    expect(() => {
      fabric.assertPoolWhole();
    }).toThrow('pulledWhileOpen');
  });

  test('tells the operator where everything is', async () => {
    const names = ['KUBECONFIG', 'FTI_CDI_ENDPOINT', 'CRO_FABRIC_CA_FILE', 'ENABLE_WEBHOOKS', 'MORE', 'HOME'];
    const tell = `for (const name of ${JSON.stringify(names)}) console.log(name + '=' + process.env[name]); process.exitCode = 3`;
    const { startOperator, kubeconfigPath } = await world({
      operatorCommand: program(tell),
      webhook: false,
      operatorEnv: { MORE: 'yes' },
    });
    const operator = startOperator();
    expect(await operator.exited).toEqual({ code: 3, signal: null });
    expect(operator.lastLines(6)).toEqual([
      `KUBECONFIG=${kubeconfigPath}`,
      expect.stringMatching(/^FTI_CDI_ENDPOINT=127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^CRO_FABRIC_CA_FILE=\/.*fabric-ca\.pem$/),
      'ENABLE_WEBHOOKS=false',
      'MORE=yes',
      'HOME=undefined',
    ]);
  });

  test('an operator that ends by itself ends every wait, with its last words', async () => {
    const { startOperator, untilOperatorLeads } = await world({
      operatorCommand: program("console.error('no such fabric'); process.exitCode = 2"),
    });
    startOperator();
    await expect(untilOperatorLeads(20_000)).rejects.toThrow(/ended by itself with exit code 2.*\n.*no such fabric/);
  });

  test('an operator that does not stop is killed, and told', async () => {
    const greet = "get('https://' + FTI_CDI_ENDPOINT + '/hello', { ca: readFileSync(CRO_FABRIC_CA_FILE) })";
    const deaf = `
      const { get } = require('node:https');
      const { readFileSync } = require('node:fs');
      const { FTI_CDI_ENDPOINT, CRO_FABRIC_CA_FILE } = process.env;
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      ${greet};`;
    const { startOperator, nextFabricCall } = await world({ operatorCommand: program(deaf), stopWithinMs: 100 });
    const greeting = nextFabricCall('GET', 15_000);
    const operator = startOperator();
    await greeting;
    await expect(operator.stop()).rejects.toThrow('the operator did not stop within 0.1 s of SIGTERM');
    expect(await operator.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('an operator that is killed or stopped on purpose is no trouble', async () => {
    const { startOperator, trouble } = await world({ operatorCommand: program('setInterval(() => {}, 1000)') });
    expect(await startOperator().kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await startOperator().stop()).toEqual({ code: null, signal: 'SIGTERM' });
    expect(trouble.aborted).toBe(false);
  });
});
