import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';

/** What a render may use of the world: passed in, so that a run gives the same bytes every time. */
export interface RenderEnvironment {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  /** A faster test of primes for key generation; has to answer as a Miller-Rabin test does. */
  readonly isPrime?: (candidate: bigint) => boolean;
  /** Keys are small and made at once: for whoever wants to know what a rendering looks like, never for what is applied. */
  readonly hasDraftKeys?: boolean;
}

export interface RenderBudget {
  readonly steps: number;
  readonly depth: number;
  readonly outputBytes: number;
}

export interface RenderOptions {
  readonly environment: RenderEnvironment;
  /** Defaults from lib/limits. */
  readonly budget?: Partial<RenderBudget>;
  /** `sprig3` (default, Sprig 3.3 on Go 1.24) or `kudo019` (what KUDO 0.19's pinned libraries gave). */
  readonly compatibility?: 'sprig3' | 'kudo019';
  /** Its first cell is kept at the byte offset of the function that is at work, for whoever has to end the thread. */
  readonly progress?: Int32Array;
}

/** Where a template failed; `line` counts from 1, `column` (bytes) from 0, -1 when Go gives none. */
export interface TemplatePlace {
  readonly template: string;
  readonly line: number;
  readonly column: number;
}
