import { limits } from '@/lib/limits/limits';
import { guardedApi } from '@/server/kube/guarded-api';
import { WrittenObjects } from '@/server/tasks/written-objects';
import { mayBeCurrent } from './may-be-current';
import type { ReconcilerDeps } from './reconciler-deps';

/** What the controller keeps from one leader term to the next. */
export type BetweenTerms = Omit<
  ReconcilerDeps,
  'shard' | 'owns' | 'runs' | 'forgotten' | 'written' | 'admitted' | 'announced' | 'checkedForGuessable'
>;

/**
 * What the reconciles of one leader term work with: their notes are of this term only, and their writes are refused when it is over,
 * also when the same process leads again.
 *
 * @param isPresent false when the term is over
 */
export function startLeading(
  kept: BetweenTerms & Pick<ReconcilerDeps, 'shard' | 'owns'>,
  isPresent: () => boolean,
): ReconcilerDeps {
  const api = guardedApi(kept.api, isPresent);
  return {
    ...kept,
    api,
    store: kept.store.through(api),
    planRuns: kept.planRuns.through(api),
    planSchedules: kept.planSchedules.through(api),
    upgrades: kept.upgrades.through(api),
    subscriptions: kept.subscriptions.through(api),
    planApprovals: kept.planApprovals.through(api),
    runs: new Map(),
    forgotten: new Set(),
    written: new WrittenObjects(limits.writtenObjectsChars, (live) => mayBeCurrent(kept.watches, live)),
    admitted: new Map(),
    announced: new Set(),
    checkedForGuessable: new Map(),
  };
}

/** Drops the notes of a term about a deleted Instance: no other one will have its uid. */
export function forgetUid(term: ReconcilerDeps, uid: string): void {
  term.forgotten.delete(uid);
  term.announced.delete(uid);
  term.checkedForGuessable.delete(uid);
}
