import type { Random } from '@/lib/random/random';

/** One kind of input: `act` makes one from chance and gives it to the code under test. */
export interface FuzzTarget {
  readonly name: string;
  readonly count: number;
  readonly act: (random: Random) => unknown;
}

/** What a run of some targets saw. Sizes are bytes. */
export interface FuzzOutcome {
  readonly cases: number;
  /** How many of them were refused with a declared error. */
  readonly refused: number;
  /** Seed and stack of each other error; at most ten. */
  readonly failures: readonly string[];
  /** The most that the heap and buffers outside of it held together after a case; garbage does not count when it may be much. */
  readonly peakUsedBytes: number;
  /** By how much the process was larger at its largest moment than before the first case. */
  readonly grownBytes: number;
  readonly ms: { readonly [target: string]: number };
}
