import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { compareRuns } from '@/lib/kudo/runs/compare';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { RunRecord } from '@/lib/kudo/runs/record-format';
import { readRunRecord } from '@/server/runs/record-secret';
import { type ClusterSession, withSession } from '../support/session';
import { findRun, runPlace } from './find-run';

interface RecordFlags {
  readonly instance?: string;
}

/** `bravo run logs RUN`: the events and logs that were kept of a run that failed. */
export function logsCommand(): Command {
  return new Command('logs')
    .description('Show the events and the last log lines of what failed in a run')
    .argument('[run]', 'the run; the last one of --instance when absent')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, flags: RecordFlags, self: Command) => {
      await withSession(self, async (session) => {
        const { run, record } = await recordOf(session, name, flags.instance);
        if (record.failure === undefined) {
          throw new TerminalError(`run ${runPlace(run)} did not fail, so no logs were kept of it`, 'NotFound');
        }
        for (const { time, object, reason, message } of record.failure.events) {
          session.printLine(`${time} ${object} ${reason}: ${message}`);
        }
        for (const { pod, container, text } of record.failure.logs) {
          session.printLine(`\nPod ${pod}, container ${container}:\n${text}`);
        }
      });
    });
}

/** `bravo run diff RUN [OTHER]`. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('Show what a run changed, or how it differs from another run')
    .argument('[run]', 'the run; the last one of --instance when absent')
    .argument('[other]', 'an earlier run to compare with')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, other: string | undefined, flags: RecordFlags, self: Command) => {
      await withSession(self, async (session) => {
        const { run, record } = await recordOf(session, name, flags.instance);
        const lines = other === undefined ? changesOf(record) : await differences(session, { run, record }, other);
        session.printLine(lines.length === 0 ? 'There is no difference.' : lines.join('\n'));
      });
    });
}

async function differences(session: ClusterSession, now: { run: PlanRun; record: RunRecord }, other: string) {
  return compareRuns(await recordOf(session, other, undefined), now);
}

async function recordOf(session: ClusterSession, name: string | undefined, instance: string | undefined) {
  const run = await findRun(session, name, instance);
  const record = await readRunRecord(session.api, run);
  if (record !== undefined) return { run, record };
  throw new TerminalError(`run ${nameOf(run)} has no record of what it applied (yet, if it is not over)`, 'NotFound');
}

/** One paragraph for each object that was created, changed or deleted. */
function changesOf({ tasks }: RunRecord): string[] {
  return tasks.flatMap(({ phase, step, objects }) =>
    objects
      .filter(({ change }) => change !== 'unchanged')
      .map(({ kind, name, change, diff }) => {
        const text = diff === undefined ? '' : `\n${indented(canonicalYaml(diff))}`;
        return `${phase}/${step}: ${kind} ${name} ${change === 'applied' ? 'was applied' : change}${text}`;
      }),
  );
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
