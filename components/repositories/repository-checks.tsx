import type { RequestError } from '@/components/live/request';
import { Notice } from '@/components/ui/notice';
import { RoleToAskFor } from '@/components/ui/role-to-ask-for';
import { StatusMark } from '@/components/ui/status';
import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import type { RepositoryCheck } from '@/lib/kudo/repository/repository-info';

const names: { readonly [name in RepositoryCheck['name']]: string } = {
  address: 'Address',
  packages: 'Packages',
  signature: 'Signature',
};

/** What the test of a repository found, or why it could not be tested. */
export function RepositoryChecks({
  checks,
  failure,
}: {
  checks: readonly RepositoryCheck[];
  failure: RequestError | undefined;
}) {
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
      {failure !== undefined && failure.causes.length === 0 && (
        <Notice
          tone={failure.status === 403 ? 'hold' : 'fail'}
          title={failure.status === 403 ? 'You may not change repositories' : 'The repository was not saved'}
        >
          {failure.message}
          {role !== undefined && <RoleToAskFor role={role} />}
        </Notice>
      )}
    </div>
  );
}
