import { describe, expect, test } from 'vitest';
import { parseKubeArgs } from '../src/cli/args.ts';

describe('the command line', () => {
  test.each(['up', 'down', 'env'] as const)('%s, with the default version', (command) => {
    expect(parseKubeArgs([command])).toMatchObject({
      tag: 'ok',
      command: { tag: command },
      version: { text: '1.34.4' },
    });
  });

  test('up, with controllers', () => {
    expect(parseKubeArgs(['up', '--controllers'])).toMatchObject({ command: { tag: 'up', controllers: true } });
    const problem = '--controllers was given with down; it belongs to up';
    expect(parseKubeArgs(['down', '--controllers'])).toEqual({ tag: 'invalid', problem });
  });

  test('build, with the program', () => {
    const command = { tag: 'build', binary: 'kube-scheduler' };
    expect(parseKubeArgs(['build', 'kube-scheduler'])).toMatchObject({ tag: 'ok', command });
  });

  test('another version, with or without a v', () => {
    const version = { text: '1.37.2', major: 1, minor: 37, patch: 2 };
    const command = { tag: 'up', controllers: false };
    expect(parseKubeArgs(['up', '--version', '1.37.2'])).toEqual({ tag: 'ok', command, version });
    expect(parseKubeArgs(['--version=v1.37.2', 'up'])).toEqual({ tag: 'ok', command, version });
  });

  test.each([
    [
      [],
      'the command is ""; accepted is up, down, env, or build with one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, fake-kubelet',
    ],
    [
      ['upp'],
      'the command is "upp"; accepted is up, down, env, or build with one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, fake-kubelet',
    ],
    [
      ['up', 'down'],
      'the command is "up down"; accepted is up, down, env, or build with one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, fake-kubelet',
    ],
    [
      ['build'],
      'the command is "build"; accepted is up, down, env, or build with one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, fake-kubelet',
    ],
    [
      ['build', 'kubelet'],
      'the command is "build kubelet"; accepted is up, down, env, or build with one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, fake-kubelet',
    ],
    [['up', '--version', '1.34'], '--version is "1.34"; accepted is a release like 1.34.4'],
    [['up', '--version', '1.34.4-rc.1'], '--version is "1.34.4-rc.1"; accepted is a release like 1.34.4'],
    [['up', '--version', '../1.34.4'], '--version is "../1.34.4"; accepted is a release like 1.34.4'],
  ])('%j is wrong', (argv, problem) => {
    expect(parseKubeArgs(argv)).toEqual({ tag: 'invalid', problem });
  });

  test('an unknown option is named', () => {
    expect(parseKubeArgs(['up', '--fast'])).toMatchObject({
      tag: 'invalid',
      problem: expect.stringContaining('--fast') as string,
    });
  });

  test('help lists the commands', () => {
    expect(parseKubeArgs(['--help'])).toMatchObject({
      tag: 'print',
      text: expect.stringContaining('up|down|env') as string,
    });
  });
});
