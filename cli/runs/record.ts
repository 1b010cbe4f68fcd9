import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { compareRuns } from '@/lib/kudo/runs/compare';
import { type ComparedRun, runsBetween } from '@/lib/kudo/runs/comparison';
import { isOver, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { RunRecord } from '@/lib/kudo/runs/record-format';
import { byTime } from '@/lib/kudo/runs/run-words';
import { readRunRecord } from '@/server/runs/record-secret';
import { type ClusterSession, withSession } from '../support/session';
import { findRun, listRuns, runPlace } from './find-run';

interface RecordFlags {
  readonly instance?: string;
}

/** `bravo run logs [RUN]`: the events and logs that were kept of a run that failed. */
export function logsCommand(): Command {
  return new Command('logs')
    .description('Show the events and the last log lines of what failed in a run')
    .argument('[run]', 'the run; when absent, of --instance the one under way, else the last one')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, { instance }: RecordFlags, self: Command) => {
      await withSession(self, async (session) => {
        const run = await findRun(session, { name, instance });
        const record = await readRunRecord(session.api, run);
        if (record?.failure === undefined) throw new TerminalError(whyNoLogs(run), 'NotFound');
        for (const { time, object, reason, message } of record.failure.events) {
          session.printLine(`${time} ${object} ${reason}: ${message}`);
        }
        for (const { pod, container, text } of record.failure.logs) {
          session.printLine(`\nPod ${pod}, container ${container}:\n${text}`);
        }
      });
    });
}

function whyNoLogs(run: PlanRun): string {
  const { status } = run.status ?? {};
  const place = runPlace(run);
  if (!isOver(status)) return `run ${place} is not over; logs are kept when it fails`;
  return status === 'FATAL_ERROR'
    ? `no events and logs were kept of run ${place}`
    : `run ${place} did not fail, so no logs were kept of it`;
}

/** `bravo run diff [RUN] [OTHER]`. */
export function diffCommand(): Command {
  return new Command('diff')
    .description('Show what a run changed, or how two runs differ, from the earlier one to the later one')
    .argument('[run]', 'the run; when absent, of --instance the one under way, else the last one')
    .argument('[other]', 'another run to compare with')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, other: string | undefined, { instance }: RecordFlags, self: Command) => {
      await withSession(self, async (session) => {
        const run = await findRun(session, { name, instance });
        const lines = other === undefined ? await changesOf(session, run) : await differences(session, run, other);
        session.printLine(lines.join('\n'));
      });
    });
}

async function differences(session: ClusterSession, run: PlanRun, name: string): Promise<string[]> {
  const other = await findRun(session, { name, instance: undefined });
  if (nameOf(other) === nameOf(run)) throw new TerminalError(`run ${runPlace(run)} is both runs`, 'InvalidArguments');
  const [later, earlier] = byTime(run, other) < 0 ? [run, other] : [other, run];
  const [before, after] = [await withRecord(session, earlier), await withRecord(session, later)];
  const between = runsBetween(await listRuns(session, session.namespace), earlier, later);
  const lines = compareRuns(before, after, between);
  const head = `From run ${nameOf(earlier)} to run ${nameOf(later)}:`;
  return [head, ...(lines.length === 0 ? ['There is no difference.'] : lines)];
}

async function withRecord({ api }: ClusterSession, run: PlanRun): Promise<ComparedRun> {
  return { run, record: await readRunRecord(api, run) };
}

async function changesOf({ api }: ClusterSession, run: PlanRun): Promise<string[]> {
  const record = await readRunRecord(api, run);
  if (record === undefined) {
    const why = isOver(run.status?.status) ? 'has no record of what it applied' : 'is not over, and not recorded yet';
    throw new TerminalError(`run ${runPlace(run)} ${why}`, 'NotFound');
  }
  const lines = linesOf(record);
  return lines.length === 0 ? ['There is no difference.'] : lines;
}

/** One paragraph for each object that was created, changed or deleted. */
function linesOf({ tasks }: RunRecord): string[] {
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
