import { guardedApi } from '@/server/kube/guarded-api';
import type { World } from './world';

/** What outlives a term of leadership. */
export type Lasting = Omit<World, 'runs' | 'forgotten' | 'told' | 'checkedForGuessable'>;

/**
 * The world of one term of leadership: its notes are its own, and what was begun in it writes nothing more when it is over, also
 * when the same process leads again.
 *
 * @param isPresent false from the end of the term on
 */
export function beginTerm(lasting: Lasting, isPresent: () => boolean): World {
  const api = guardedApi(lasting.api, isPresent);
  return {
    ...lasting,
    api,
    store: lasting.store.through(api),
    runs: new Map(),
    forgotten: new Set(),
    told: new Set(),
    checkedForGuessable: new Map(),
  };
}

/** Drops the notes about a deleted Instance: no other one will have its uid. */
export function forgetUid(term: World, uid: string): void {
  term.forgotten.delete(uid);
  term.told.delete(uid);
  term.checkedForGuessable.delete(uid);
}
