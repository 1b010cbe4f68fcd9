'use client';

import { Button } from '@/components/ui/button';
import { askedValues } from '@/lib/kudo/approvals/asked-values';
import { toAskApproval } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ApprovalList } from './approval-list';

import { useAccess } from './use-access';
import { type StartToApprove, useAskApproval, useOpenApprovals } from './use-approvals';

interface ApprovalPanelProps {
  row: InstanceRow;
  start: StartToApprove & { readonly reason?: string };
  /** Why nobody can be asked yet; undefined when somebody can. */
  block?: string | undefined;
}

/** In a dialog whose plan needs a second person: what was asked for, and the button that asks. */
export function ApprovalPanel({ row, start, block }: ApprovalPanelProps) {
  const { plan = '', parameters = {}, reason = '', version } = start;
  const approvals = useOpenApprovals(row, plan, version);
  const ask = useAskApproval(row);
  const right = useAccess(toAskApproval(row.namespace));
  const values = askedValues(version ?? row.operatorVersionObject, parameters);
  const target = version?.metadata.name;
  return (
    <section aria-label="Approval" className="grid gap-2 rounded-md border py-3">
      <div className="flex flex-wrap items-center gap-3 px-4">
        <p className="min-w-0 flex-1 basis-60">
          This plan needs a second person. The approval is good for one start with exactly these values.
        </p>
        <Button
          size="small"
          busy={ask.isPending}
          disabledReason={block ?? right.block}
          onClick={() =>
            ask.mutate({
              plan,
              ...(Object.keys(values).length === 0 ? {} : { parameters: values }),
              ...(target === undefined ? {} : { operatorVersion: target }),
              ...(reason === '' ? {} : { reason }),
            })
          }
        >
          Ask for approval
        </Button>
      </div>
      {ask.error !== null && (
        <p role="alert" className="px-4 text-fail">
          {ask.error.message}
        </p>
      )}
      {approvals.length > 0 && <ApprovalList approvals={approvals} />}
    </section>
  );
}

/** Above the plans of an Instance: the requests that wait or were approved; nothing without any. */
export function ApprovalsCard({ row }: { row: InstanceRow }) {
  const approvals = useOpenApprovals(row);
  if (approvals.length === 0) return null;
  return (
    <section aria-label="Approvals" className="card overflow-clip">
      <h2 className="border-b px-4 py-2 font-semibold">Approvals</h2>
      <ApprovalList approvals={approvals} />
    </section>
  );
}
