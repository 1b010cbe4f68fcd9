import type { ControllerWord } from '@/lib/live/frames';

/** An object that a controller beside the console writes to the cluster by itself, before any plan runs. */
export interface ControllerWrite {
  readonly kind: string;
  readonly name: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  /** What it is for, and when it is written, as a sentence for the person who is asked. */
  readonly purpose: string;
}

/** Whether a controller may be started beside the console, and what it would write. The answer of `GET /api/controller`. */
export interface ControllerOffer {
  /** `BRAVO_CONTROLLER`: `auto` asks the person. `signed-in`: people sign in, and none of them may start one with the console's rights. */
  readonly setting: 'auto' | 'on' | 'off' | 'signed-in';
  readonly state: ControllerWord;
  readonly writes: readonly ControllerWrite[];
}
