/**
 * What is to happen with the key next.
 *
 * - `rest`: nothing until something rings.
 * - `again`: at once.
 * - `wait`: something is waited for; look again soon, later each time that nothing moved.
 * - `later`: all is done; something is to be repaired after that time.
 * - `retry`: something failed; back off.
 *
 * `withinMs`: a deadline ends then; look again no later.
 */
export type Outcome =
  | { readonly next: 'rest' | 'again' }
  | { readonly next: 'later'; readonly afterMs: number }
  | { readonly next: 'retry'; readonly withinMs?: number | undefined }
  | { readonly next: 'wait'; readonly moved: boolean; readonly withinMs?: number | undefined };

export const REST: Outcome = { next: 'rest' };
export const AGAIN: Outcome = { next: 'again' };

/** The time to the next look, no later than a deadline that ends before. */
export function sooner(delayMs: number, withinMs: number | undefined): number {
  return withinMs === undefined ? delayMs : Math.min(delayMs, Math.max(withinMs, 1));
}
