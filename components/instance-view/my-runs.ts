import { useEffect } from 'react';
import { create } from 'zustand';
import { storageKey } from '@/components/live/address';
import { browserClock } from '@/components/live/clock';
import type { Instance } from '@/lib/kudo/types';
import { type MyRun, parseMyRuns, withMyRun } from '@/lib/kudo/view/my-runs';

const STORAGE_KEY = storageKey('bravo-my-runs');

/** The runs that this browser started; all of its tabs share them. */
const useStore = create<{ readonly mine: readonly MyRun[] }>()(() => ({ mine: [] }));

/**
 * Follows a run that was just started: the next execution of that plan.
 *
 * @param instance as it was before the request, whose answer may come after the new state; undefined for one that is being created
 */
export function noteMyRun(key: string, plan: string, instance: Instance | undefined): void {
  const before = instance?.status?.planStatus?.[plan]?.uid ?? '';
  storeMyRuns(withMyRun(stored(), { key, plan, before, atMs: browserClock.now() }));
}

/** The runs that this browser started, also in other tabs. */
export function useMyRuns(): readonly MyRun[] {
  useEffect(() => {
    const load = () => useStore.setState({ mine: stored() });
    const onStorage = ({ key }: StorageEvent) => (key === STORAGE_KEY ? load() : undefined);
    load();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
  return useStore((state) => state.mine);
}

export function storeMyRuns(mine: readonly MyRun[]): void {
  useStore.setState({ mine });
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(mine));
  } catch {
    // A browser without storage follows the runs of this tab until it is closed.
  }
}

function stored(): readonly MyRun[] {
  try {
    return parseMyRuns(window.localStorage.getItem(STORAGE_KEY));
  } catch {
    return useStore.getState().mine;
  }
}
