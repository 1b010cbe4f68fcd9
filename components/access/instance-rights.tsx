'use client';

import { Notice } from '@/components/ui/notice';
import { accessTo } from '@/lib/kube/access';
import { roleFor } from '@/lib/kube/role-for-refusal';
import { topics } from '@/lib/live/topic';
import { RoleToAskFor } from './role-to-ask-for';
import { useAccess } from './use-access';

/** What changing an Instance takes: edits and plans are patches of it. */
export const toChange = (namespace: string) => accessTo('patch', topics.instances, namespace);
export const toDelete = (namespace: string) => accessTo('delete', topics.instances, namespace);

/** Says once above an Instance that it can only be looked at, and what to ask for. */
export function ReadOnlyNotice({ namespace }: { namespace: string }) {
  const question = toChange(namespace);
  const { missing, user } = useAccess(question);
  if (missing === undefined) return null;
  return (
    <Notice tone="hold" title="You may look at this instance, not change it" className="mb-4">
      {missing}
      {user !== undefined && <RoleToAskFor role={roleFor({ ...question, user })} />}
    </Notice>
  );
}
