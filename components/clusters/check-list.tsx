import type { RequestError } from '@/components/live/request';
import { Notice } from '@/components/ui/notice';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { StatusMark } from '@/components/ui/status';
import type { ClusterCheck } from '@/lib/clusters/cluster-info';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';

const names: { readonly [name in ClusterCheck['name']]: string } = {
  kubeconfig: 'Kubeconfig',
  connection: 'Connection',
  credentials: 'Credentials',
  instances: 'KUDO',
  impersonation: 'People who sign in',
};

/** What the test of a cluster found, or why it could not be tested. */
export function CheckList({ checks, failure }: { checks: readonly ClusterCheck[]; failure: RequestError | undefined }) {
  const role = failure === undefined ? undefined : roleForRefusal(failure.message);
  return (
    <div aria-live="polite" className="grid gap-2">
      {checks.length > 0 && (
        <ul aria-label="Checks" className="grid gap-1.5">
          {checks.map(({ name, ok, message }) => (
            <li key={name} className="flex items-start gap-2.5">
              <StatusMark status={ok ? 'COMPLETE' : 'FATAL_ERROR'} word={ok ? 'Passed' : 'Failed'} className="mt-0.5" />
              <span className="min-w-0 break-words">
                <span className="font-medium">{names[name]}:</span> <span className="text-ink-2">{message}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {failure !== undefined && (
        <Notice tone={failure.status === 403 ? 'hold' : 'fail'} title={titleOf(failure)}>
          {failure.message}
          {role !== undefined && <RoleToAskFor role={role} />}
        </Notice>
      )}
    </div>
  );
}

function titleOf({ status }: RequestError): string {
  return status === 403 ? 'You may not add clusters' : 'The cluster was not added';
}
