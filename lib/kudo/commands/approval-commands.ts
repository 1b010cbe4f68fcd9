import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { bravoLine, type CopiedCommands, type CopiedPatch, kubectlPatch, patchFile } from './copied-commands';

/** The commands that decide a request as a button does. Admission writes who sends them in the place of the text. */
export function approvalCommands(approval: PlanApproval, decision: 'approve' | 'reject'): CopiedCommands {
  const patch: CopiedPatch = {
    resource: 'planapprovals.bravo.kudo.dev',
    namespace: namespaceOf(approval),
    name: nameOf(approval),
    subresource: 'status',
    patch: { status: { [decision === 'approve' ? 'approvedBy' : 'rejectedBy']: 'me' } },
  };
  return {
    kubectl: kubectlPatch(patch),
    bravo: bravoLine(['approval', decision, nameOf(approval)], approval),
    yaml: patchFile(patch),
  };
}
