import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import type { FaultRate } from './fault-rate';
import type { WatchFault } from './watch-faults';

/** What can happen to one call: the catalogue of design row A (API server behaviour) as far as a client can meet it. */
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
  /** The simulation's own: the network does not stop with a process. */
  readonly clock: Clock;
  /** Faults that do not come. */
  readonly without?: readonly (CallFault | WatchFault)[];
}
