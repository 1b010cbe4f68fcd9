'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { findKind } from '@/components/resources/kind-sections';
import { kubePath } from '@/components/resources/resource-path';
import { useKinds } from '@/components/resources/use-kinds';
import { arrayAt, stringAt } from '@/lib/json/json';
import { type PodUsage, readPodUsage } from '@/lib/kube/pods/pod-usage';
import { UsageHistory } from '@/lib/kube/pods/usage-history';

/** Where the metrics server serves what pods use. */
const POD_METRICS = { group: 'metrics.k8s.io', version: 'v1beta1', resource: 'pods' };
const POLL_MS = 15_000;

/** One for the page, so that a tab that is left and opened again has its line. */
const history = new UsageHistory();

/**
 * What the pods of a namespace use, by `namespace/name`, each with its last readings; undefined where the cluster does not serve metrics. Asked
 * every 15 s while the page is visible.
 *
 * @param namespace absent: all of them @param pod only this one @param isAsked false: nothing is asked, and the answer is undefined
 */
export function usePodUsage(
  namespace: string | undefined,
  { pod, isAsked = true }: { readonly pod?: string; readonly isAsked?: boolean } = {},
): ReadonlyMap<string, readonly PodUsage[]> | undefined {
  const isServed = findKind(useKinds(), POD_METRICS) !== undefined && isAsked;
  const { data } = useQuery({
    queryKey: ['pod-usage', namespace ?? '', pod ?? ''],
    queryFn: ({ signal }) => readUsage(namespace, pod, signal),
    enabled: isServed,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: false,
    retry: false,
  });
  return isServed ? data : undefined;
}

async function readUsage(namespace: string | undefined, pod: string | undefined, signal: AbortSignal) {
  // A list is empty where a single one would be a 404: a pod that has just begun has no reading.
  const selector = pod === undefined ? '' : `?${new URLSearchParams({ fieldSelector: `metadata.name=${pod}` })}`;
  const list = await request<unknown>(`${kubePath({ ...POD_METRICS, namespace })}${selector}`, { signal });
  const read = new Map<string, readonly PodUsage[]>();
  for (const item of arrayAt(list, 'items')) {
    const usage = readPodUsage(item);
    const key = `${stringAt(item, 'metadata', 'namespace') ?? ''}/${stringAt(item, 'metadata', 'name') ?? ''}`;
    if (usage === undefined) continue;
    history.add(key, usage);
    // Of a long list some are forgotten again at once.
    const known = history.of(key);
    read.set(key, known.length === 0 ? [usage] : known);
  }
  return read;
}
