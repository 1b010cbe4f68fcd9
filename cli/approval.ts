import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { approvalState, PLAN_APPROVALS, type PlanApproval } from '@/lib/kudo/approvals/plan-approval';
import { formatOne, formatTable, readFormat } from './support/output';
import { type ClusterSession, withSession } from './support/session';

/** `bravo approval list|approve|reject`. */
export function approvalCommand(): Command {
  return new Command('approval')
    .description('Show and decide requests to start plans that need a second person')
    .addCommand(listCommand())
    .addCommand(approveCommand())
    .addCommand(decideCommand('reject', 'Reject a request'));
}

/** Also `bravo run approve`. */
export function approveCommand(): Command {
  return decideCommand('approve', 'Approve one start of a plan that somebody else asked for');
}

interface ListFlags {
  readonly instance?: string;
  readonly output?: string;
}

function listCommand(): Command {
  return new Command('list')
    .description('Show the requests of a namespace')
    .option('--instance <name>', 'only those for this instance')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (flags: ListFlags, self: Command) => {
      await withSession(self, async ({ api, namespace, printLine }) => {
        const all = (await api.list({ ...PLAN_APPROVALS, namespace })).items as PlanApproval[];
        const found = all.filter(({ spec }) => flags.instance === undefined || spec?.instanceName === flags.instance);
        const format = readFormat(flags.output);
        printLine(format === undefined ? formatTable([HEADER, ...found.map(rowOf)]) : formatOne(found, format));
      });
    });
}

const HEADER = ['NAME', 'INSTANCE', 'PLAN', 'ASKED BY', 'STATE', 'DECIDED BY', 'REASON'];

function rowOf(approval: PlanApproval): string[] {
  const { spec = {}, status = {} } = approval;
  const { instanceName = '', plan = '', requestedBy = '', reason = '' } = spec;
  const decidedBy = status.rejectedBy ?? status.approvedBy ?? '';
  return [nameOf(approval), instanceName, plan, requestedBy, approvalState(approval), decidedBy, reason];
}

function decideCommand(verb: 'approve' | 'reject', description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<name>', 'the approval')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, (session) => decide(session, name, verb));
    });
}

/** The webhook writes the name of the person in the place of this text. */
const ANY_TEXT = 'me';

async function decide({ api, namespace, printLine }: ClusterSession, name: string, verb: 'approve' | 'reject') {
  const target = { ...PLAN_APPROVALS, namespace, name };
  const approval = (await api.get(target)) as PlanApproval | undefined;
  if (approval === undefined) throw new TerminalError(`approval ${namespace}/${name} does not exist`, 'NotFound');
  const state = approvalState(approval);
  if (state !== 'waiting') throw new TerminalError(`approval ${namespace}/${name} is ${state} already`, 'Invalid');
  const { resourceVersion = '' } = approval.metadata;
  const status = verb === 'approve' ? { approvedBy: ANY_TEXT } : { rejectedBy: ANY_TEXT };
  const written = (await api.patch(
    target,
    'merge',
    { metadata: { resourceVersion }, status },
    { subresource: 'status' },
  )) as PlanApproval;
  if (verb === 'approve' && written.status?.proof === undefined) {
    throw new TerminalError(
      `approval ${namespace}/${name} does not count: no admission webhook saw who approved it`,
      'Invalid',
    );
  }
  printLine(`approval ${namespace}/${name} ${verb === 'approve' ? 'approved' : 'rejected'}`);
}
