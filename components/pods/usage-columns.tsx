'use client';

import { type ReactNode, useMemo } from 'react';
import { Sparkline } from '@/components/ui/sparkline';
import type { GroupVersionResource } from '@/lib/kube/object';
import { formatBytes, formatCores, type PodUsage, totalUsage } from '@/lib/kube/pods/pod-usage';
import { usePodUsage } from './use-pod-usage';

/** A column that is not the API's own. */
export interface ExtraColumn {
  readonly name: string;
  /** @param key `namespace/name` */
  readonly cell: (key: string) => ReactNode;
}

/** Of a longer list the usage is not asked for: each reading is as long as the list. */
const MOST_PODS = 1_000;
const NO_COLUMNS: readonly ExtraColumn[] = [];

/** What the pods of a list use now, with the line of the last minutes; no columns where the cluster does not measure. */
export function useUsageColumns(
  type: GroupVersionResource,
  namespace: string | undefined,
  count: number,
): readonly ExtraColumn[] {
  const isAsked = type.group === '' && type.resource === 'pods' && count > 0 && count <= MOST_PODS;
  const usage = usePodUsage(namespace, { isAsked });
  return useMemo(
    () =>
      usage === undefined
        ? NO_COLUMNS
        : [
            { name: 'CPU', cell: (key) => <Used readings={usage.get(key)} field="cpu" format={formatCores} /> },
            { name: 'Memory', cell: (key) => <Used readings={usage.get(key)} field="memory" format={formatBytes} /> },
          ],
    [usage],
  );
}

function Used(props: {
  readings: readonly PodUsage[] | undefined;
  field: 'cpu' | 'memory';
  format: (amount: number) => string;
}) {
  const values = (props.readings ?? []).map((reading) => totalUsage(reading)[props.field]);
  const now = values.at(-1);
  if (now === undefined) return <span className="text-ink-3">–</span>;
  return (
    <span className="inline-flex items-center justify-end gap-2 tabular-nums">
      {props.format(now)}
      <Sparkline values={values} className="text-accent max-xl:hidden" />
    </span>
  );
}
