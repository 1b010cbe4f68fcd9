'use client';

import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { RequestError, request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import { kubePath } from '@/components/resources/resource-path';
import { showToast } from '@/components/ui/toast';
import {
  approvalFor,
  approvalState,
  needsApproval,
  newestFirst,
  PLAN_APPROVAL_API_VERSION,
  PLAN_APPROVALS,
  type PlanApproval,
  type PlanApprovalSpec,
} from '@/lib/kudo/approvals/plan-approval';
import { planNames } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { type Random, randomUuid, systemRandom } from '@/lib/random/random';

/** A start that a second person may have to approve. */
export interface StartToApprove {
  /** Undefined when nothing starts. */
  readonly plan: string | undefined;
  /** Values that go with the start; null takes the Instance's own value away. */
  readonly parameters?: { readonly [name: string]: string | null } | undefined;
  /** The version that the Instance moves to; its own when absent. */
  readonly version?: OperatorVersion | undefined;
}

/** Requests for this Instance that are neither used nor rejected, live, the newest first; of one plan, or of all. */
export function useOpenApprovals(
  row: InstanceRow,
  plan?: string,
  version: OperatorVersion | undefined = row.operatorVersionObject,
): readonly PlanApproval[] {
  const plans = plan === undefined ? planNames(version) : [plan];
  const isMarked = plans.some((each) => planMetadataOf(version, each).approval === true);
  const { objects } = useTopic(isMarked ? { ...PLAN_APPROVALS, namespace: row.namespace } : undefined);
  const { uid } = row.instance.metadata;
  return useMemo(() => {
    const isOpen = (one: PlanApproval) => ['waiting', 'approved'].includes(approvalState(one));
    const isOurs = ({ spec }: PlanApproval) => spec?.instanceUid === uid && (plan === undefined || spec?.plan === plan);
    const open = (objects as readonly PlanApproval[]).filter((one) => isOurs(one) && isOpen(one));
    return open.sort(newestFirst);
  }, [objects, uid, plan]);
}

/** Whether a start needs a second person, and the approval that was given for it and not used yet. */
export function useSecondPerson(
  row: InstanceRow,
  { plan = '', parameters = {}, version = row.operatorVersionObject }: StartToApprove,
): { readonly isNeeded: boolean; readonly wish: { readonly approval?: string } } {
  const isNeeded = needsApproval({ plan, instance: row.instance, operatorVersion: version });
  const open = useOpenApprovals(row, plan, version);
  const operatorVersion = version?.metadata.name ?? '';
  const found = isNeeded ? approvalFor(open, { operatorVersion, parameters: Object.keys(parameters) }) : undefined;
  const name = found?.metadata.name;
  return { isNeeded, wish: name === undefined ? {} : { approval: name } };
}

/**
 * Asks a second person to approve one start of a plan. The API server says first what it would store: where no webhook replaces the values, nothing is
 * sent that would keep them as they are, and no approval would count.
 */
export function useAskApproval({ namespace, name }: InstanceRow, random: Random = systemRandom) {
  return useMutation({
    mutationFn: async ({ plan = '', ...spec }: PlanApprovalSpec) => {
      const suffix = randomUuid(random).slice(0, 8);
      const object = `${name}-${plan}-${suffix}`.toLowerCase().replace(/[^a-z0-9.-]/g, '-');
      const path = `${kubePath({ ...PLAN_APPROVALS, namespace })}?fieldManager=bravo-console`;
      const body = {
        apiVersion: PLAN_APPROVAL_API_VERSION,
        kind: 'PlanApproval',
        metadata: { name: object, namespace },
        spec: { ...spec, instanceName: name, plan },
      };
      const stored = await request<PlanApproval>(`${path}&dryRun=All`, { method: 'POST', body });
      if ((stored.spec?.proof ?? '') === '') throw new RequestError(0, 'NoWebhook', NO_WEBHOOK);
      return request(path, { method: 'POST', body });
    },
    onSuccess: () => showToast({ tone: 'ok', title: 'The request waits for a second person' }),
  });
}

const NO_WEBHOOK =
  'No admission webhook sees who asks, so that no approval would count. Ask again when the webhook of the controller is registered.';

/** Approves or rejects a request with the rights of the person; the webhook writes who it is. */
export function useDecideApproval() {
  return useMutation({
    mutationFn: ({ approval, decision }: { approval: PlanApproval; decision: 'approvedBy' | 'rejectedBy' }) => {
      const { namespace, name, resourceVersion = '' } = approval.metadata;
      const path = kubePath({ ...PLAN_APPROVALS, namespace, name, subresource: 'status' });
      return request(`${path}?fieldManager=bravo-console`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { metadata: { resourceVersion }, status: { [decision]: 'me' } },
      });
    },
    onSuccess: (_answer, { decision }) =>
      showToast({ tone: 'ok', title: decision === 'approvedBy' ? 'Approved' : 'Rejected' }),
  });
}
