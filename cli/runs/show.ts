import { Command } from 'commander';
import { nameOf } from '@/lib/kube/object';
import type { PlanRun, RunPhase, RunStep } from '@/lib/kudo/runs/plan-run';
import { causeWords, durationOf } from '@/lib/kudo/runs/run-words';
import { formatOne, formatTree, readFormat, type Tree } from '../support/output';
import { withSession } from '../support/session';
import { durationWords } from './duration';
import { findRun } from './find-run';

interface ShowFlags {
  readonly instance?: string;
  readonly output?: string;
}

/** `bravo run show RUN`. */
export function showCommand(): Command {
  return new Command('show')
    .description('Show a run: why it began, what it changed, its steps, and what people did with it')
    .argument('[run]', 'the run; the one under way of --instance when absent')
    .option('--instance <name>', 'the instance')
    .option('-o, --output <format>', 'yaml, json or name')
    .action(async (name: string | undefined, flags: ShowFlags, self: Command) => {
      const format = flags.output === 'name' ? 'name' : readFormat(flags.output);
      await withSession(self, async (session) => {
        const run = await findRun(session, name, flags.instance);
        if (format === 'name') session.printLine(nameOf(run));
        else if (format !== undefined) session.printLine(formatOne(run, format));
        else session.printLine(formatTree(runTree(run, session.clock.now())));
      });
    });
}

/** A run as a tree: its head, parameters, phases and steps, outputs, and steering. */
export function runTree(run: PlanRun, nowMs: number): Tree {
  const { spec = {}, status = {} } = run;
  const why = `${causeWords(spec.cause)}${spec.requestedBy === undefined ? '' : `, by ${spec.requestedBy}`}`;
  const took = durationWords(durationOf(run, nowMs));
  const head = `${nameOf(run)} (${status.status ?? 'IN_PROGRESS'}${took === '' ? '' : `, ${took}`})`;
  const version = status.operatorVersionBefore;
  const facts = [
    `plan ${spec.plan ?? ''} of instance ${spec.instanceName ?? ''}`,
    why,
    ...(spec.reason === undefined ? [] : [`reason: ${spec.reason}`]),
    ...(spec.retryOf === undefined ? [] : [`repeats ${spec.retryOf}`]),
    ...(status.startedAt === undefined ? [] : [`started ${status.startedAt}`]),
    ...(status.finishedAt === undefined ? [] : [`finished ${status.finishedAt}`]),
    ...(version === undefined ? [] : [`version ${version} → ${status.operatorVersion ?? ''}`]),
    ...(status.message === undefined ? [] : [`message: ${status.message}`]),
  ];
  const groups: Tree[] = [
    group(
      'parameters',
      (status.changes ?? []).map(({ name = '', before, after }) => `${name}: ${text(before)} → ${text(after)}`),
    ),
    { value: 'phases', children: (status.phases ?? []).map(phaseTree) },
    group(
      'outputs',
      (status.outputs ?? []).map(
        ({ type = '', name = '', size }) => `${type} ${name}${size === undefined ? '' : ` (${size} bytes)`}`,
      ),
    ),
    group(
      'steering',
      (status.steering ?? []).map(({ at = '', event = '', by, message = '' }) => {
        return `${at} ${event}${by === undefined ? '' : ` by ${by}`}: ${message}`;
      }),
    ),
  ].filter(({ children = [] }) => children.length > 0);
  return { value: head, children: [...facts.map((value) => ({ value })), ...groups] };
}

function group(value: string, lines: readonly string[]): Tree {
  return { value, children: lines.map((line) => ({ value: line })) };
}

function text(value: string | undefined): string {
  return value === undefined ? '(default)' : JSON.stringify(value);
}

function phaseTree({ name = '', status = 'PENDING', steps = [] }: RunPhase): Tree {
  return { value: `${name} [${status}]`, children: steps.map((step) => ({ value: stepLine(step) })) };
}

function stepLine({ name = '', status = 'PENDING', seconds, attempts, message }: RunStep): string {
  const took = seconds === undefined ? '' : `, ${seconds} s`;
  const tries = attempts === undefined ? '' : `, ${attempts} attempts`;
  return `${name} [${status}${took}${tries}]${message === undefined ? '' : `: ${message}`}`;
}
