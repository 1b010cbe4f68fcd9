'use client';

import { useAccess } from '@/components/access/use-access';
import { Notice } from '@/components/ui/notice';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { accessTo } from '@/lib/kube/access';
import { roleFor } from '@/lib/kube/role-for-refusal';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };

/** Says where new values of secret parameters go, and lets a person keep them in the Instance instead. */
export function SecretPlace({
  namespace,
  secret,
  isInline,
  onChange,
}: {
  namespace: string;
  /** Names of the Secrets that the values go into. */
  secret: string;
  isInline: boolean;
  onChange: (isInline: boolean) => void;
}) {
  const question = accessTo('patch', SECRETS, namespace);
  const { missing, user } = useAccess(question);
  return (
    <Notice
      className="mt-4"
      tone={missing === undefined || isInline ? 'hold' : 'wait'}
      title={isInline ? 'New secret values are stored in the instance' : `New secret values go into Secret ${secret}`}
    >
      {missing !== undefined && !isInline && (
        <>
          <p>You may not write Secrets in {namespace}. Ask for the right, or store the values in the instance.</p>
          {user !== undefined && <RoleToAskFor role={roleFor({ ...question, user })} />}
        </>
      )}
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={isInline} onChange={(event) => onChange(event.target.checked)} />
        Store them in the instance, where everybody who may read it can read them
      </label>
    </Notice>
  );
}
