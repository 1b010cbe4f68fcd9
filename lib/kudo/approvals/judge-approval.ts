import { nameOf } from '@/lib/kube/object';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { PlanStart, PreconditionProblem } from '@/lib/kudo/plan-metadata/judge-preconditions';
import type { Fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import { approvalDigest } from './approval-digest';
import { isApprovalProven } from './approval-proof';
import { APPROVAL_ANNOTATION, approvalNameOf, approvalState, needsApproval, type PlanApproval } from './plan-approval';

/** A PlanApproval as it was read; undefined when it does not exist. */
export type ApprovalRead = PlanApproval | undefined | { readonly problem: string };

/** The name of the PlanApproval that the start depends on; undefined when none is needed or named. */
export function approvalToRead(start: PlanStart): string | undefined {
  return needsApproval(start) ? approvalNameOf(start.instance) : undefined;
}

/**
 * Why the start lacks the approval of a second person; undefined when it has it, or needs none. Who has no key (console and command line) judges
 * all but the inputs and the proof, which webhook and controller do.
 */
export function judgeApproval(
  start: PlanStart,
  read: ApprovalRead,
  fingerprints: Fingerprinter | undefined,
): PreconditionProblem | undefined {
  if (!needsApproval(start)) return undefined;
  const name = approvalNameOf(start.instance);
  if (name === undefined) return fails(howToAsk(start));
  if (read !== undefined && 'problem' in read && typeof read.problem === 'string') {
    return { outcome: 'unknown', message: `${read.problem}.` };
  }
  const approval = read as PlanApproval | undefined;
  if (approval === undefined) return fails(`PlanApproval ${name} does not exist. ${howToAsk(start)}`);
  const problem =
    unfit(start, approval) ?? (fingerprints === undefined ? undefined : unproven(start, approval, fingerprints));
  return problem === undefined ? undefined : fails(`PlanApproval ${name} ${problem}`);
}

/** The rest of a sentence that begins with the name of the approval. */
function unfit({ plan, instance }: PlanStart, approval: PlanApproval): string | undefined {
  const { spec = {}, status = {} } = approval;
  if (spec.plan !== plan || spec.instanceName !== nameOf(instance)) {
    return `is for plan ${spec.plan ?? ''} of Instance ${spec.instanceName ?? ''}.`;
  }
  const isRecorded = actedUpon(instance)?.origin?.approval === nameOf(approval);
  const state = isRecorded ? 'used' : approvalState(approval);
  switch (state) {
    case 'used':
      return 'was used for a start already. Each start needs one of its own.';
    case 'rejected':
      return `was rejected by ${status.rejectedBy ?? ''}.`;
    case 'waiting':
      return `waits for a second person, who approves it with \`bravo approval approve ${nameOf(approval)} -n ${instance.metadata.namespace ?? ''}\`.`;
    case 'approved':
      return undefined;
  }
}

function unproven(start: PlanStart, approval: PlanApproval, fingerprints: Fingerprinter): string | undefined {
  const { spec = {}, status = {} } = approval;
  const isSecond = status.approvedBy !== spec.requestedBy;
  if (!isSecond || !isApprovalProven(approval, fingerprints)) {
    return 'does not count: no admission webhook has seen who asked for it and who approved it. Ask again while the webhook is registered.';
  }
  const isSame =
    spec.instanceUid === start.instance.metadata.uid &&
    (start.unread ?? new Set()).size === 0 &&
    spec.digest === approvalDigest(start, fingerprints);
  return isSame ? undefined : 'is void: the parameters or the version are not those that were approved. Ask again.';
}

function howToAsk({ plan, instance }: PlanStart): string {
  const { namespace = '', name = '' } = instance.metadata;
  return (
    `It needs the approval of a second person. Ask for it with \`bravo plan request --instance ${name} --name ${plan} -n ${namespace}\`, and ` +
    `start the plan with \`--approval NAME\` (the annotation ${APPROVAL_ANNOTATION}) when it is approved.`
  );
}

const COMMANDS = /Ask for it with `[^`]*`, and start the plan with `[^`]*` \([^)]*\) when it is approved\./;

/** A message of {@link judgeApproval} for a dialog, which has the button that asks instead of commands. Any other text as it is. */
export function wordsForDialog(message: string): string {
  return message.replace(COMMANDS, 'Ask for it below. The plan can start when it is approved.');
}

function fails(message: string): PreconditionProblem {
  return { outcome: 'fails', message };
}
