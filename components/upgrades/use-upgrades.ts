'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { showToast } from '@/components/ui/toast';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import {
  OPERATOR_UPGRADES,
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
} from '@/lib/kudo/upgrades/operator-upgrade';
import type { UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { topics } from '@/lib/live/topic';

const MERGE_PATCH = 'application/merge-patch+json';
/** The server plans so many at once. */
export const MOST_PLANNED = 20;

/** What the form asks for; the server reads the same fields. */
export interface UpgradeDraft {
  readonly namespace: string;
  readonly instances: readonly string[];
  readonly to?: string;
  readonly subscription?: string;
  readonly parameters: { readonly [name: string]: string };
  readonly waveSize: number;
  readonly pauseOnFailure: boolean;
  readonly rollBackWave: boolean;
  readonly window?: { readonly start: string; readonly durationMinutes: number; readonly timeZone: string };
  readonly reason?: string;
  readonly confirm?: string;
}

/** The upgrades of an operator in the scope, live, the newest first. */
export function useUpgrades(operator: string): readonly OperatorUpgrade[] {
  const { objects } = useTopicInScope(topics.operatorUpgradeRows);
  return useMemo(() => {
    const own = (objects as readonly OperatorUpgrade[]).filter(
      ({ spec }) => spec?.operator === operator && spec.plan === undefined,
    );
    const age = ({ metadata }: OperatorUpgrade) => metadata.creationTimestamp ?? '';
    return [...own].sort((a, b) => age(b).localeCompare(age(a)));
  }, [objects, operator]);
}

/**
 * What the upgrade would do, asked again while the form changes.
 *
 * @param installed the versions of the Instances: another plan for others
 */
export function useUpgradePlans(
  { namespace, instances, to, subscription, parameters }: UpgradeDraft,
  installed: string,
) {
  const chosen = instances.slice(0, MOST_PLANNED);
  const asked = useDeferredValue({ namespace, instances: chosen, to, subscription, parameters });
  return useQuery({
    enabled: asked.instances.length > 0,
    queryKey: ['upgrade-plans', asked, installed],
    queryFn: ({ signal }) =>
      request<{ plans: readonly UpgradePlan[] }>('/api/upgrades/plan', { method: 'POST', body: asked, signal }),
    placeholderData: (before) => before,
  });
}

/** Creates the upgrade, and reports it in a toast. The caller shows the error. */
export function useStartUpgrade(onStarted: () => void) {
  return useMutation({
    mutationFn: (draft: UpgradeDraft) =>
      request<{ upgrade: { name: string } | null }>('/api/upgrades', { method: 'POST', body: draft }),
    onSuccess: ({ upgrade }) => {
      const title = upgrade === null ? 'Every instance has this version' : `Upgrade ${upgrade.name} was created`;
      showToast({ tone: 'ok', title });
      onStarted();
    },
  });
}

/** Changes how an upgrade goes on, with the rights of the person; reports a failure in a toast. */
export function useSteerUpgrade(upgrade: OperatorUpgrade) {
  const target = { ...OPERATOR_UPGRADES, namespace: namespaceOf(upgrade), name: nameOf(upgrade) };
  return useMutation({
    mutationFn: (spec: Partial<OperatorUpgradeSpec>) =>
      request(kubePath(target), { method: 'PATCH', body: { spec }, contentType: MERGE_PATCH }),
    onError: (error) =>
      showToast({ tone: 'fail', title: `Upgrade ${nameOf(upgrade)} was not changed`, detail: error.message }),
  });
}
