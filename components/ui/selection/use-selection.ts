'use client';

import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { headState, RowSelection, type SelectableRow, type SelectionSurvey, surveySelection } from './row-selection';

/** The selection of a list, for as long as the list is on the page. */
export function useSelection<R extends SelectableRow>(): RowSelection<R> {
  const [selection] = useState(() => new RowSelection<R>());
  return selection;
}

/** Whether a row is selected; draws again only when that changes. */
export function useIsSelected<R extends SelectableRow>(selection: RowSelection<R>, uid: string): boolean {
  return useSyncExternalStore(
    selection.subscribe,
    () => selection.has(uid),
    () => false,
  );
}

/** The state of the box in the head of the table. */
export function useHeadState<R extends SelectableRow>(selection: RowSelection<R>, shown: readonly R[]) {
  return useSyncExternalStore(
    selection.subscribe,
    () => headState(selection, shown),
    () => 'none' as const,
  );
}

/** What is selected of a live list. A list that changes all the time is compared when the browser has time for it. */
export function useSurvey<R extends SelectableRow>(
  selection: RowSelection<R>,
  all: readonly R[],
  shown: readonly R[],
): SelectionSurvey<R> {
  const version = useSyncExternalStore(selection.subscribe, selection.version, () => 0);
  const known = useDeferredValue(all);
  const inView = useDeferredValue(shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection itself says by its version that it changed
  return useMemo(() => surveySelection(selection, known, inView), [selection, version, known, inView]);
}

/** A function that gives the newest value and never changes, so that no row is drawn again for it. */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  }, [value]);
  return useCallback(() => latest.current, []);
}
