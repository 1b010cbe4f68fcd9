'use client';

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '@/components/live/request';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { topics } from '@/lib/live/topic';
import { type OperatorRow, operatorRows } from './catalogue-rows';

/** What `GET /api/packages` answers. */
export interface Catalogue {
  readonly packages: readonly PackageSummary[];
  /** Files in the catalogue's folders that are not operator packages. */
  readonly broken: readonly { readonly place: string; readonly message: string }[];
}

export const CATALOGUE_KEY = ['packages'];

/** The packages; first what the server rendered with, asked again after an upload. */
export function useCatalogue(initial: Catalogue): Catalogue {
  const { data } = useQuery({
    queryKey: CATALOGUE_KEY,
    queryFn: ({ signal }) => request<Catalogue>('/api/packages', { signal }),
    initialData: initial,
  });
  return data;
}

export interface OperatorsView {
  readonly rows: readonly OperatorRow[];
  readonly versions: readonly OperatorVersion[];
  readonly instances: readonly Instance[];
  /** What follows channels of repositories; empty where the cluster does not serve them. */
  readonly subscriptions: readonly OperatorSubscription[];
  /** True when `versions` are all there are in the person's scope; false as well where they may not be read. */
  readonly knowsVersions: boolean;
  /** True when the CRDs of KUDO's kinds are not installed. */
  readonly crdsMissing: boolean;
}

/** The catalogue joined with the cluster, live. */
export function useOperators({ packages }: Catalogue): OperatorsView {
  const versionsView = useTopicInScope(topics.operatorVersions);
  const instancesView = useTopicInScope(topics.instanceRows);
  const { objects: subscriptions } = useTopicInScope(topics.operatorSubscriptions);
  return useMemo(() => {
    const versions = versionsView.objects as readonly OperatorVersion[];
    const instances = instancesView.objects as readonly Instance[];
    return {
      rows: operatorRows(packages, versions, instances),
      versions,
      instances,
      subscriptions: subscriptions as readonly OperatorSubscription[],
      knowsVersions: versionsView.status === 'ready',
      crdsMissing: versionsView.status === 'missing' || instancesView.status === 'missing',
    };
  }, [packages, versionsView, instancesView, subscriptions]);
}
