'use client';

import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '@/components/live/request';
import { useTopic } from '@/components/live/use-topic';
import { kubePath } from '@/components/resources/resource-path';
import { showToast } from '@/components/ui/toast';
import {
  approvalState,
  newestFirst,
  PLAN_APPROVAL_API_VERSION,
  PLAN_APPROVALS,
  type PlanApproval,
  type PlanApprovalSpec,
} from '@/lib/kudo/approvals/plan-approval';
import { planNames } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { type Random, randomUuid, systemRandom } from '@/lib/random/random';

/** Requests for this Instance that are neither used nor rejected, live, the newest first; of one plan, or of all. */
export function useOpenApprovals(row: InstanceRow, plan?: string): readonly PlanApproval[] {
  const version = row.operatorVersionObject;
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

/** Asks a second person to approve one start of a plan. */
export function useAskApproval({ namespace, name }: InstanceRow, random: Random = systemRandom) {
  return useMutation({
    mutationFn: ({ plan = '', ...spec }: PlanApprovalSpec) => {
      const suffix = randomUuid(random).slice(0, 8);
      const object = `${name}-${plan}-${suffix}`.toLowerCase().replace(/[^a-z0-9.-]/g, '-');
      return request(`${kubePath({ ...PLAN_APPROVALS, namespace })}?fieldManager=bravo-console`, {
        method: 'POST',
        body: {
          apiVersion: PLAN_APPROVAL_API_VERSION,
          kind: 'PlanApproval',
          metadata: { name: object, namespace },
          spec: { ...spec, instanceName: name, plan },
        },
      });
    },
    onSuccess: () => showToast({ tone: 'ok', title: 'The request waits for a second person' }),
  });
}

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
