import { cpus, loadavg, totalmem } from 'node:os';
import { verdictOf } from './figure.ts';
import type { Results } from './run.ts';

/** When and how the figures came about. */
export interface Circumstances {
  /** Wall clock, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly quick: boolean;
  /** The control plane: a version of Kubernetes, or `simulated`. */
  readonly kube: string;
}

/** The figures for programs: JSON, with what they depend on. */
export function report({ figures, failures }: Results, { startedAt, quick, kube }: Circumstances): string {
  const processors = cpus();
  const value = {
    startedAt: new Date(startedAt).toISOString(),
    quick,
    kube,
    node: process.version,
    machine: {
      processors: processors.length,
      model: processors[0]?.model ?? 'unknown',
      memoryMiB: Math.round(totalmem() / 2 ** 20),
      // At the end, and it includes this run: processes that ran or waited for their turn, over 1, 5 and 15 minutes.
      loadAverage: loadavg(),
    },
    figures: figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
    failures,
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
