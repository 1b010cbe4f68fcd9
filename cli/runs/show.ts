import { Command } from 'commander';
import { nameOf } from '@/lib/kube/object';
import type { PlanRun, RecordedChange, RunOutput, RunPhase, RunStep } from '@/lib/kudo/runs/plan-run';
import { causeWords, durationOf } from '@/lib/kudo/runs/run-words';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { formatOne, formatTree, readNameFormat, type Tree } from '../support/output';
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
    .argument('[run]', 'the run; when absent, of --instance the one under way, else the last one')
    .option('--instance <name>', 'the instance')
    .option('-o, --output <format>', 'yaml, json or name')
    .action(async (name: string | undefined, flags: ShowFlags, self: Command) => {
      const format = readNameFormat(flags.output);
      await withSession(self, async (session) => {
        const run = await findRun(session, { name, instance: flags.instance });
        if (format === 'name') session.printLine(nameOf(run));
        else if (format !== undefined) session.printLine(formatOne(run, format));
        else session.printLine(formatTree(runTree(run, session.clock.now())));
      });
    });
}

/** A run as a tree: its head, parameters, phases and steps, outputs, and steering. */
export function runTree(run: PlanRun, nowMs: number): Tree {
  const { status = {} } = run;
  const took = durationWords(durationOf(run, nowMs));
  const head = `${nameOf(run)} (${status.status ?? 'IN_PROGRESS'}${took === '' ? '' : `, ${took}`})`;
  const groups: Tree[] = [
    group('parameters', (status.changes ?? []).map(changeLine)),
    { value: 'phases', children: (status.phases ?? []).map(phaseTree) },
    group('differs from the preview', status.preview?.differs ?? []),
    group('outputs', (status.outputs ?? []).map(outputLine)),
    group(
      'steering',
      (status.steering ?? []).map(({ at = '', event = '', by, message = '' }) => {
        return `${at} ${event}${by === undefined ? '' : ` by ${by}`}: ${message}`;
      }),
    ),
  ].filter(({ children = [] }) => children.length > 0);
  return { value: head, children: [...factsOf(run).map((value) => ({ value })), ...groups] };
}

/** One line each. */
function factsOf({ spec = {}, status = {} }: PlanRun): string[] {
  const why = `${causeWords(spec.cause)}${spec.requestedBy === undefined ? '' : `, by ${spec.requestedBy}`}`;
  const version = status.operatorVersionBefore;
  return [
    `plan ${spec.plan ?? ''} of instance ${spec.instanceName ?? ''}`,
    why,
    ...(spec.reason === undefined ? [] : [`reason: ${spec.reason}`]),
    ...(spec.retryOf === undefined ? [] : [`repeats ${spec.retryOf}`]),
    ...(spec.undoOf === undefined ? [] : [`undoes ${spec.undoOf}`]),
    ...(status.startedAt === undefined ? [] : [`started ${status.startedAt}`]),
    ...(status.finishedAt === undefined ? [] : [`finished ${status.finishedAt}`]),
    ...(version === undefined ? [] : [`version ${version} → ${status.operatorVersion ?? ''}`]),
    ...(status.preview?.matches === true ? ['applied as previewed'] : []),
    ...((spec.stopAfter ?? '') === '' ? [] : [`stops after phase ${spec.stopAfter}`]),
    ...(status.message === undefined ? [] : [`message: ${status.message}`]),
  ];
}

function group(value: string, lines: readonly string[]): Tree {
  return { value, children: lines.map((line) => ({ value: line })) };
}

/** Of a secret parameter the values are fingerprints. */
function changeLine({ name = '', before, after, secret }: RecordedChange): string {
  return `${name}${secret === true ? ' (secret, fingerprints)' : ''}: ${text(before)} → ${text(after)}`;
}

function outputLine({ type = '', name = '', size, createdAt, target, verified }: RunOutput): string {
  const facts = [
    ...(size === undefined ? [] : [bytesText(size)]),
    ...(createdAt === undefined ? [] : [`created ${createdAt}`]),
    ...(target === undefined ? [] : [`in ${target}`]),
    ...(verified === undefined ? [] : [verified ? 'verified' : 'not verified']),
  ];
  return `${type} ${name}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function text(value: string | undefined): string {
  return value === undefined ? '(default)' : JSON.stringify(value);
}

function phaseTree({ name = '', status = 'PENDING', message, steps = [] }: RunPhase): Tree {
  const value = `${name} [${status}]${message === undefined ? '' : `: ${message}`}`;
  return { value, children: steps.map((step) => ({ value: stepLine(step) })) };
}

function stepLine({ name = '', status = 'PENDING', startedAt, seconds, attempts, message }: RunStep): string {
  const facts = [
    status,
    ...(startedAt === undefined ? [] : [`started ${startedAt}`]),
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(attempts === undefined ? [] : [`${attempts} attempts`]),
  ];
  return `${name} [${facts.join(', ')}]${message === undefined ? '' : `: ${message}`}`;
}
