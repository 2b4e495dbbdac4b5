import type { Exec, ExecOutcome } from '@cro/kube-runtime/exec';
import type { ExecAnswer, NodeSim } from '@cro/node-sim';
import type { Authorizer } from './authorizer.ts';

/** Stands between an operator and its outside: see `Gates`. */
export type Through = <T>(what: string, send: () => Promise<T>) => Promise<T>;

/** Commands go to the simulated nodes, as they would through the API server and a kubelet. */
export function execInto(nodes: Pick<NodeSim, 'exec'>, authorizer: Authorizer, through: Through): Exec {
  return ({ namespace, pod, container, argv, stdin, signal }) => {
    const command = { namespace, pod, container, argv, ...(stdin !== undefined && { stdin }) };
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec`;
    return through(`EXEC ${path} ${argv.join(' ')}`, async () => {
      if (authorizer.judge({ method: 'GET', path }) !== undefined) {
        return { tag: 'refused', status: 403, message: `pods "${pod}" is forbidden: cannot get pods/exec` };
      }
      return outcomeOf(await nodes.exec(command, signal ?? new AbortController().signal));
    });
  };
}

function outcomeOf(answer: ExecAnswer): ExecOutcome {
  switch (answer.tag) {
    case 'ended': {
      const { stdout, stderr, exitCode: code } = answer.result;
      return { tag: 'exited', code, stdout, stderr };
    }
    case 'noPod':
      return { tag: 'notFound', message: 'pod does not exist' };
    case 'noKubelet':
      return { tag: 'unreachable', message: 'dial tcp 127.0.0.1:10250: connect: connection refused' };
    case 'lost':
      return { tag: 'lost', message: 'Timeout occurred' };
  }
}
