'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { request } from '@/components/live/request';
import { systemClock, type Timer } from '@/lib/clock/clock';
import type { UpkeepReport } from '@/lib/kudo/upkeep/report';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';

/** Changes come in bursts; the report is read again once a burst has lasted this long. */
const BURST_MS = 500;

/** What of an Instance is not as its last plans left it. */
export interface Upkeep {
  /** Undefined until it has been read. */
  readonly report: UpkeepReport | undefined;
  /** Has it read again soon. */
  readonly ring: () => void;
}

/** The report about an Instance, read again when its version changes and when somebody rings. */
export function useUpkeep(
  { namespace, name }: { namespace: string; name: string },
  version: string | undefined,
): Upkeep {
  const client = useQueryClient();
  const timer = useRef<Timer>(undefined);
  const ring = useCallback(() => {
    if (timer.current !== undefined) return;
    timer.current = systemClock.after(BURST_MS, () => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: ['upkeep', namespace, name] });
    });
  }, [client, namespace, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the bell, not an input
  useEffect(ring, [ring, version]);
  const { data: report } = useQuery({
    queryKey: ['upkeep', namespace, name],
    queryFn: ({ signal }) => request<UpkeepReport>(instanceApiPath(namespace, name, 'upkeep'), { signal }),
    placeholderData: keepPreviousData,
    enabled: version !== undefined,
  });
  return useMemo(() => ({ report, ring }), [report, ring]);
}
