'use client';

import { useEffect, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { openText } from '@/components/live/open-text';
import type { ClusterRows } from '@/lib/clusters/cluster-info';
import { LineReader } from '@/lib/clusters/line-reader';
import { messageOf } from '@/lib/errors/errors';
import { type InstanceRow, instanceRow } from '@/lib/kudo/view/instance-row';

const AGAIN_MS = 15_000;

/** What one cluster has answered last. */
export interface RowsOfCluster {
  readonly cluster: string;
  readonly title: string;
  readonly rows: readonly InstanceRow[];
  /** Why there are none. */
  readonly problem: string | undefined;
}

export interface AllRows {
  /** The clusters that have answered so far. */
  readonly answered: readonly RowsOfCluster[];
  /** True until each cluster has answered once, or its time is over. */
  readonly isLoading: boolean;
  /** Why nothing can be read now: the console itself does not answer. */
  readonly failure: string | undefined;
}

/** The Instances of all clusters: each cluster's as soon as they are here, read again every 15 seconds while the page is seen. */
export function useClusterRows(): AllRows {
  const [all, setAll] = useState<AllRows>({ answered: [], isLoading: true, failure: undefined });
  useEffect(() => {
    const ended = new AbortController();
    let timer = browserClock.after(0, () => undefined);
    const read = async () => {
      try {
        if (document.visibilityState === 'visible')
          await readOnce(ended.signal, (rows) => setAll((old) => withRows(old, rows)));
        setAll((old) => ({ ...old, isLoading: false, failure: undefined }));
      } catch (error) {
        if (ended.signal.aborted) return;
        setAll((old) => ({ ...old, isLoading: false, failure: messageOf(error) }));
      }
      if (!ended.signal.aborted) timer = browserClock.after(AGAIN_MS, () => void read());
    };
    void read();
    return () => {
      ended.abort();
      timer.cancel();
    };
  }, []);
  return all;
}

function readOnce(signal: AbortSignal, onRows: (rows: RowsOfCluster) => void): Promise<void> {
  const lines = new LineReader((line) => {
    const { cluster, title, instances, problem } = JSON.parse(line) as ClusterRows;
    // Versions are not read of every cluster: the reference of the Instance names it.
    const rows = instances.map((instance) => instanceRow(instance, new Map(), false));
    onRows({ cluster, title, rows, problem });
  });
  return openText('/api/clusters/instances', (text) => lines.read(text), signal);
}

/** A cluster that has a problem now keeps no old rows: they may be wrong. */
function withRows(old: AllRows, rows: RowsOfCluster): AllRows {
  const others = old.answered.filter(({ cluster }) => cluster !== rows.cluster);
  const answered = [...others, rows].sort((a, b) => a.title.localeCompare(b.title));
  return { ...old, answered };
}
