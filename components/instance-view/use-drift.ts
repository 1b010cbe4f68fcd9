'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { request } from '@/components/live/request';
import { systemClock, type Timer } from '@/lib/clock/clock';
import type { DriftReport } from '@/lib/kudo/drift/report';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';

/** Changes come in bursts; the report is read again this long after the first change. */
const BURST_MS = 500;

/** Drift and leftovers of an Instance. */
export interface DriftState {
  /** Undefined until it has been read. */
  readonly report: DriftReport | undefined;
  /** Reads the report again, once for a burst of calls. */
  readonly refresh: () => void;
}

/** The drift report of an Instance, read again when its version changes and when `refresh` is called. */
export function useDrift(
  { namespace, name }: { namespace: string; name: string },
  version: string | undefined,
): DriftState {
  const client = useQueryClient();
  const timer = useRef<Timer>(undefined);
  const refresh = useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = systemClock.after(BURST_MS, () => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['drift', namespace, name] });
    });
  }, [client, namespace, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is the reason to read again, not an input
  useEffect(refresh, [refresh, version]);
  const { data: report } = useQuery({
    queryKey: ['drift', namespace, name],
    queryFn: ({ signal }) => request<DriftReport>(instanceApiPath(namespace, name, 'drift'), { signal }),
    placeholderData: keepPreviousData,
    enabled: version !== undefined,
  });
  return useMemo(() => ({ report, refresh }), [report, refresh]);
}
