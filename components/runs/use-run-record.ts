'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { parseRunRecord, type RunRecord } from '@/lib/kudo/runs/record-format';
import type { RunRow } from '@/lib/kudo/view/run-row';

export interface ReadRecord {
  /** Undefined until it has been read, and where there is none. */
  readonly record: RunRecord | undefined;
  readonly isReading: boolean;
  readonly problem: string | undefined;
}

/** What is large in the record of a run. It is written once, when the run ends. */
export function useRunRecord(row: RunRow): ReadRecord {
  const hasRecord = row.isOver && row.run.status?.recordName !== undefined;
  const { data, error, isPending } = useQuery({
    queryKey: ['run-record', row.key, row.run.metadata.uid],
    queryFn: async ({ signal }) => {
      const path = `/api/runs/${encodeURIComponent(row.namespace)}/${encodeURIComponent(row.name)}/record`;
      const { record } = await request<{ record: unknown }>(path, { signal });
      return parseRunRecord(record) ?? null;
    },
    enabled: hasRecord,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return { record: data ?? undefined, isReading: hasRecord && isPending, problem: error?.message };
}
