'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import type { InstanceRow } from './instance-row';

/** Nobody reads a list that moves: what is asked for waits until the rows in view stay the same. */
const CALM_MS = 600;
const FRESH_MS = 30_000;
/** What one answer tells of; see app/api/instances/drift. */
const MOST = 60;

const NONE: { readonly [key: string]: number } = {};

/**
 * How many objects of the Instances in view were changed outside, by `namespace/name`; asked for when the rows in view, or their
 * versions, change, and when somebody comes back to the tab. Only Instances that are well otherwise are asked about.
 */
export function useDriftMarks(rows: readonly InstanceRow[]): { readonly [key: string]: number } {
  const text = rows
    .filter(({ state }) => state.key === 'healthy')
    .slice(0, MOST)
    .map(({ key, instance }) => `${key}@${instance.metadata.resourceVersion ?? ''}`)
    .join(' ');
  const [calm, setCalm] = useState('');
  useEffect(() => {
    const timer = browserClock.after(CALM_MS, () => setCalm(text));
    return () => timer.cancel();
  }, [text]);
  const { data } = useQuery({
    queryKey: ['drift-marks', calm],
    queryFn: ({ signal }) => request<{ drifted: { [key: string]: number } }>(pathOf(calm), { signal }),
    enabled: calm !== '',
    staleTime: FRESH_MS,
    refetchOnWindowFocus: true,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return data?.drifted ?? NONE;
}

function pathOf(text: string): string {
  const query = new URLSearchParams();
  for (const word of text.split(' ')) query.append('instance', word.slice(0, word.lastIndexOf('@')));
  return `/api/instances/drift?${query}`;
}
