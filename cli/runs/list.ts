import { Command } from 'commander';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { durationOf, startOf } from '@/lib/kudo/runs/run-words';
import { formatMany, formatTable, readNameFormat } from '../support/output';
import { type ClusterSession, withSession } from '../support/session';
import { durationWords } from './duration';
import { listRuns } from './find-run';

interface ListFlags {
  readonly instance?: string;
  readonly plan?: string;
  readonly allNamespaces?: boolean;
  readonly output?: string;
}

/** `bravo run list`. */
export function listCommand(): Command {
  return new Command('list')
    .description('List runs of plans, the last one first')
    .option('--instance <name>', 'runs of this instance')
    .option('--plan <name>', 'runs of this plan')
    .option('-A, --all-namespaces', 'list the runs of all namespaces')
    .option('-o, --output <format>', 'yaml, json or name')
    .action(async (flags: ListFlags, self: Command) => {
      const format = readNameFormat(flags.output);
      await withSession(self, async (session) => {
        const all = await listRuns(session, flags.allNamespaces === true ? undefined : session.namespace);
        const runs = all.filter(
          ({ spec }) =>
            (flags.instance === undefined || spec?.instanceName === flags.instance) &&
            (flags.plan === undefined || spec?.plan === flags.plan),
        );
        if (format === 'name') for (const run of runs) session.printLine(nameOf(run));
        else if (format !== undefined) session.printLine(formatMany(runs, format));
        else if (runs.length === 0) session.printLine(`No runs found${where(flags, session)}.`);
        else session.printLine(tableOf(runs, { session, flags }));
      });
    });
}

function where({ allNamespaces }: ListFlags, { namespace }: ClusterSession): string {
  return allNamespaces === true ? ' in any namespace' : ` in namespace ${namespace}`;
}

function tableOf(
  runs: readonly PlanRun[],
  { session, flags }: { readonly session: ClusterSession; readonly flags: ListFlags },
): string {
  const hasNamespaces = flags.allNamespaces === true;
  const head = ['NAME', 'INSTANCE', 'PLAN', 'WHY', 'WHO', 'STATUS', 'STARTED', 'DURATION'];
  const nowMs = session.clock.now();
  const rows = runs.map((run) => {
    const { instanceName = '', plan = '', cause = '', requestedBy = '' } = run.spec ?? {};
    const { status = 'IN_PROGRESS' } = run.status ?? {};
    const cells = [nameOf(run), instanceName, plan, cause, requestedBy, status, startOf(run)];
    return [...(hasNamespaces ? [namespaceOf(run)] : []), ...cells, durationWords(durationOf(run, nowMs))];
  });
  return formatTable([hasNamespaces ? ['NAMESPACE', ...head] : head, ...rows]);
}
