/**
 * What a reconcile returns: when the key is reconciled next.
 *
 * - `rest`: at the next watch event.
 * - `again`: at once.
 * - `wait`: a plan waits for something: soon, with a back-off while nothing changes.
 * - `later`: the Instance is idle; after that time there is something to check or repair.
 * - `retry`: something failed; with a back-off.
 *
 * `withinMs`: a deadline ends then; no later than that.
 */
export type Outcome =
  | { readonly next: 'rest' | 'again' }
  | { readonly next: 'later'; readonly afterMs: number }
  | { readonly next: 'retry'; readonly withinMs?: number | undefined }
  | { readonly next: 'wait'; readonly moved: boolean; readonly withinMs?: number | undefined };

export const REST: Outcome = { next: 'rest' };
export const AGAIN: Outcome = { next: 'again' };

/** The time to the next reconcile, no later than a deadline that ends before. */
export function sooner(delayMs: number, withinMs: number | undefined): number {
  return withinMs === undefined ? delayMs : Math.min(delayMs, Math.max(withinMs, 1));
}
