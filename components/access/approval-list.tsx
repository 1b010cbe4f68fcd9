'use client';

import { Button } from '@/components/ui/button';
import { CopyOneOfMenu } from '@/components/ui/copy-as-menu';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { approvalState, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { approvalCommands } from '@/lib/kudo/commands/approval-commands';
import { toApprove } from '@/lib/kudo/view/action-rights';
import { instancePath } from '@/lib/kudo/view/instance-path';

import { useAccess } from './use-access';
import { useDecideApproval } from './use-approvals';
import { useWhoAmI } from './use-who-am-i';

/**
 * Requests for starts of plans, each with who asked and why, and the buttons of the person who decides. Who asked may reject, and not approve; the API
 * server refuses it in any case.
 */
export function ApprovalList({
  approvals,
  withInstance = false,
}: {
  approvals: readonly PlanApproval[];
  withInstance?: boolean;
}) {
  return (
    <ul className="divide-y divide-line">
      {approvals.map((approval) => (
        <ApprovalLine key={approval.metadata.uid} approval={approval} withInstance={withInstance} />
      ))}
    </ul>
  );
}

function OfInstance({ approval: { metadata, spec } }: { approval: PlanApproval }) {
  const { instanceName = '' } = spec ?? {};
  return (
    <>
      {' '}
      of{' '}
      <Link className="link" href={instancePath(metadata.namespace ?? '', instanceName, 'plans')}>
        {metadata.namespace}/{instanceName}
      </Link>
    </>
  );
}

/** Also for who may not decide, as a command for somebody else. */
function CopyDecision({ approval }: { approval: PlanApproval }) {
  const { name = '' } = approval.metadata;
  const actions = [
    { heading: 'Approve', what: `approve ${name}`, commands: approvalCommands(approval, 'approve') },
    { heading: 'Reject', what: `reject ${name}`, commands: approvalCommands(approval, 'reject') },
  ];
  return <CopyOneOfMenu actions={actions} />;
}

function ApprovalLine({ approval, withInstance }: { approval: PlanApproval; withInstance: boolean }) {
  const { spec = {}, status = {} } = approval;
  const { plan = '', requestedBy = 'nobody known', requestedAt, reason = '', parameters = {} } = spec;
  const decide = useDecideApproval();
  const { block } = useAccess(toApprove(approval.metadata.namespace ?? ''));
  const me = useWhoAmI();
  const isOwn = me !== undefined && me === spec.requestedBy;
  const names = Object.keys(parameters).join(', ');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2" data-approval={approval.metadata.name}>
      <span className="min-w-0 flex-1 basis-60">
        <span className="font-medium">
          {requestedBy} asks to start plan <code>{plan}</code>
          {withInstance && <OfInstance approval={approval} />}
        </span>
        <span className="block text-ink-2">
          {reason !== '' && `${reason}. `}
          {names !== '' && `With values for ${names}. `}
          <TimeAgo at={requestedAt} />
        </span>
      </span>
      {approvalState(approval) === 'approved' ? (
        <StatusText status="COMPLETE" word={`Approved by ${status.approvedBy ?? ''}`} />
      ) : (
        <span className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={decide.isPending}
            disabledReason={block ?? (isOwn ? 'You asked for it. A second person has to approve it.' : undefined)}
            onClick={() => decide.mutate({ approval, decision: 'approvedBy' })}
          >
            Approve
          </Button>
          <Button
            size="small"
            variant="quiet"
            busy={decide.isPending}
            disabledReason={block}
            onClick={() => decide.mutate({ approval, decision: 'rejectedBy' })}
          >
            Reject
          </Button>
          <CopyDecision approval={approval} />
        </span>
      )}
      {decide.error !== null && (
        <p role="alert" className="w-full text-fail">
          {decide.error.message}
        </p>
      )}
    </li>
  );
}
