import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import type { FaultRate } from './fault-rate';
import type { WatchFault } from './watch-faults';

/** What can happen to one request (`docs/faults.md`, the Kubernetes API). */
export type CallFault =
  | 'none'
  | 'conflict'
  | 'throttled'
  | 'failed'
  | 'unavailable'
  | 'reset-before'
  | 'response-lost'
  | 'response-cut'
  | 'hang'
  | 'slow'
  | 'gone';

export interface FaultOptions {
  readonly faultRate: FaultRate;
  readonly random: Random;
  /** The clock of the simulation: the network does not stop with a process. */
  readonly clock: Clock;
  /** Faults that are left out. */
  readonly without?: readonly (CallFault | WatchFault)[];
}
