'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { type BulkOutcome, runBulk } from '@/lib/kube/bulk/run-bulk';
import { limits } from '@/lib/limits/limits';
import type { BulkAct, BulkTarget, BulkTargets } from './bulk-target';

export interface BulkProgress {
  readonly phase: 'asking' | 'running' | 'over';
  readonly outcomes: readonly BulkOutcome<BulkTarget>[];
  readonly start: (act: BulkAct) => void;
  /** Ends the run after what is under way. */
  readonly stop: () => void;
}

/** Runs an action over the targets of a dialog. Closing the dialog stops it. */
export function useBulkRun(targets: BulkTargets): BulkProgress {
  const [phase, setPhase] = useState<BulkProgress['phase']>('asking');
  const [outcomes, setOutcomes] = useState<readonly BulkOutcome<BulkTarget>[]>([]);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = useCallback(
    (act: BulkAct) => {
      const stop = new AbortController();
      abort.current = stop;
      setPhase('running');
      const onOutcome = (outcome: BulkOutcome<BulkTarget>) => setOutcomes((known) => [...known, outcome]);
      void runBulk(targets, { act, atOnce: limits.bulk.atOnce, signal: stop.signal, onOutcome }).then(() =>
        setPhase('over'),
      );
    },
    [targets],
  );
  const stop = useCallback(() => abort.current?.abort(), []);
  return { phase, outcomes, start, stop };
}
