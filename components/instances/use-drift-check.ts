'use client';

import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { batchesOf, type DriftMarks } from '@/lib/kudo/view/drift-marks';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Rows change in bursts; the question waits until they stay the same for this long. */
const CALM_MS = 600;
const FRESH_MS = 30_000;

const NONE: DriftMarks = {};

export interface DriftCheck {
  readonly marks: DriftMarks;
  /** `checking` until the first answer, `unknown` when the question failed. */
  readonly state: 'checking' | 'checked' | 'unknown';
}

/**
 * How many objects of the Instances were changed outside of plans; asked for, one batch after the other, when the rows or their
 * versions change, and when somebody comes back to the tab. Only healthy Instances are asked about.
 */
export function useDriftCheck(rows: readonly InstanceRow[]): DriftCheck {
  const text = batchesOf(rows).join('\n');
  const [calm, setCalm] = useState<string>();
  useEffect(() => {
    const timer = browserClock.after(CALM_MS, () => setCalm(text));
    return () => timer.cancel();
  }, [text]);
  const { data, isError } = useQuery({
    queryKey: ['drift-marks', calm],
    queryFn: ({ signal, client }) => readBatches(client, calm === '' ? [] : (calm ?? '').split('\n'), signal),
    enabled: calm !== undefined && rows.length > 0,
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => ({ marks: data ?? NONE, state: isError ? 'unknown' : data === undefined ? 'checking' : 'checked' }),
    [data, isError],
  );
}

/** A batch that did not change is not requested again. */
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
