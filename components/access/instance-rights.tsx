'use client';

import { Notice } from '@/components/ui/notice';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import { roleFor } from '@/lib/kube/role-for-refusal';
import { DESTROY_VERB } from '@/lib/kudo/installation/roles';
import { operatorVersionKey } from '@/lib/kudo/names';
import { isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import { destroyRefusal } from '@/lib/kudo/plan-metadata/destroy-right';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';
import { type AccessCheck, useAccess } from './use-access';

/** What changing an Instance takes: edits and plans are patches of it. */
export const toChange = (namespace: string) => accessTo('patch', topics.instances, namespace);
/** Asking a second person for a start, and being that person (docs/decisions/075). */
export const toAskApproval = (namespace: string) => accessTo('create', topics.planApprovals, namespace);
export const toApprove = (namespace: string) =>
  accessTo('patch', { ...topics.planApprovals, resource: `${topics.planApprovals.resource}/status` }, namespace);
export const toDelete = (namespace: string) => accessTo('delete', topics.instances, namespace);

/** What a plan that is marked destructive takes beside it (docs/decisions/081). */
export const toDestroy = (namespace: string) => accessTo(DESTROY_VERB, topics.instances, namespace);

/** Plans and parameters are defined in the OperatorVersion, which the server reads with the person's authority. */
const toReadVersion = (row: Pick<InstanceRow, 'instance'>) =>
  accessTo('get', topics.operatorVersions, operatorVersionKey(row.instance).namespace);

/** The rights for plans, parameters and versions of an Instance, with the question about the one that is missing. */
export function useRightToRun(
  row: Pick<InstanceRow, 'instance' | 'namespace'>,
): AccessCheck & { question: AccessQuestion } {
  const change = { question: toChange(row.namespace), ...useAccess(toChange(row.namespace)) };
  const read = { question: toReadVersion(row), ...useAccess(toReadVersion(row)) };
  return change.missing === undefined && read.missing !== undefined ? read : change;
}

/** The sentence for a plan that is marked destructive and that the person may not start; undefined for every other plan. */
export function useDestroyBlock(
  { instance, namespace, operatorVersionObject }: Pick<InstanceRow, 'instance' | 'namespace' | 'operatorVersionObject'>,
  plan: string | undefined,
): string | undefined {
  const asks = plan !== undefined && isDestructive(operatorVersionObject, plan);
  // Otherwise a question that is asked anyway.
  const { missing } = useAccess(asks ? toDestroy(namespace) : toChange(namespace));
  if (!asks || missing === undefined) return undefined;
  return `${capitalized(destroyRefusal(instance, plan, 'you'))}.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says once above an Instance that the person may not change it, or not run its plans, and which right to ask for. */
export function ReadOnlyNotice({ row }: { row: Pick<InstanceRow, 'instance' | 'namespace'> }) {
  const { missing, user, question } = useRightToRun(row);
  if (missing === undefined) return null;
  const title =
    question.verb === 'get'
      ? 'You may not start plans or edit parameters of this instance'
      : 'You may view this instance, but not change it';
  return (
    <Notice tone="hold" title={title} className="mb-4">
      {missing}
      {user !== undefined && <RoleToAskFor role={roleFor({ ...question, user })} />}
    </Notice>
  );
}
