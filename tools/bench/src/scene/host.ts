import type { Clock } from '@cro/clock';
import type { RealPrograms } from '../planes/real-plane.ts';

/** What every benchmark runs on. */
export interface BenchHost {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** The operator's program: a copy, so that a build that happens meanwhile does not change what is measured. */
  readonly operator: string;
  /** Where operators' logs are kept. */
  readonly logDirectory: string;
  /** Flags of Node for the operator, such as `--cpu-prof`. */
  readonly operatorFlags: readonly string[];
  /** The control plane: absent, it is simulated. */
  readonly real?: RealPrograms;
  /** Smaller numbers, to see that everything works; the times then say little. */
  readonly quick: boolean;
  /** Aborts when the person has had enough: every wait then ends, and what was started is stopped. */
  readonly interrupted: AbortSignal;
  /** Tells a person what goes on. */
  readonly say: (text: string) => void;
}
