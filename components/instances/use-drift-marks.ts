'use client';

import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { batchesOf, type DriftMarks } from './drift-marks';
import type { InstanceRow } from './instance-row';

/** Nobody reads a list that moves: what is asked for waits until the rows stay the same. */
const CALM_MS = 600;
const FRESH_MS = 30_000;

const NONE: DriftMarks = {};

/**
 * How many objects of the Instances were changed outside; asked for, one batch after the other, when the rows, or their versions,
 * change, and when somebody comes back to the tab. Only Instances that are well otherwise are asked about.
 */
export function useDriftMarks(rows: readonly InstanceRow[]): DriftMarks {
  const text = batchesOf(rows).join('\n');
  const [calm, setCalm] = useState('');
  useEffect(() => {
    const timer = browserClock.after(CALM_MS, () => setCalm(text));
    return () => timer.cancel();
  }, [text]);
  const { data } = useQuery({
    queryKey: ['drift-marks', calm],
    queryFn: ({ signal, client }) => readBatches(client, calm.split('\n'), signal),
    enabled: calm !== '',
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return data ?? NONE;
}

/** A batch that did not change is not asked for again. */
async function readBatches(client: QueryClient, batches: readonly string[], signal: AbortSignal): Promise<DriftMarks> {
  const marks: { [key: string]: number } = {};
  for (const batch of batches) {
    const found = await client.fetchQuery({
      queryKey: ['drift-batch', batch],
      queryFn: () => request<{ drifted: DriftMarks }>(pathOf(batch), { signal }),
      staleTime: FRESH_MS,
      retry: false,
    });
    Object.assign(marks, found.drifted);
  }
  return marks;
}

function pathOf(batch: string): string {
  const query = new URLSearchParams();
  for (const word of batch.split(' ')) query.append('instance', word.slice(0, word.lastIndexOf('@')));
  return `/api/instances/drift?${query}`;
}
