'use client';

import { Notice } from '@/components/ui/notice';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import type { AccessQuestion } from '@/lib/kube/access';
import { roleFor } from '@/lib/kube/role-for-refusal';
import { operatorVersionKey } from '@/lib/kudo/names';
import { isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import { destroyRefusal } from '@/lib/kudo/plan-metadata/destroy-right';
import { toChange, toDestroy, toReadVersion } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { type AccessCheck, useAccess } from './use-access';

/** The rights for plans, parameters and versions of an Instance, with the question about the one that is missing. */
export function useRightToRun(
  row: Pick<InstanceRow, 'instance' | 'namespace'>,
): AccessCheck & { question: AccessQuestion } {
  const change = { question: toChange(row.namespace), ...useAccess(toChange(row.namespace)) };
  const read = {
    question: toReadVersion(operatorVersionKey(row.instance).namespace),
    ...useAccess(toReadVersion(operatorVersionKey(row.instance).namespace)),
  };
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
