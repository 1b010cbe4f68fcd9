import { describe, expect, it } from 'vitest';
import type { ExecutionStatus, Plan, PlanStatus, Task, TaskSpec } from '@/lib/kudo/types';
import { executePass, type PassResult, type TaskOutcome } from './pass';

type Strategy = 'serial' | 'parallel' | undefined;
/** `phases[i][j]` is the list of tasks of a step. */
type Shape = readonly (readonly (readonly string[])[])[];

const dummy = (name: string, spec: TaskSpec): Task => ({ name, kind: 'Dummy', spec });
const TASKS: readonly Task[] = [
  dummy('done', { done: true }),
  dummy('other', { done: true }),
  dummy('waits', {}),
  dummy('errs', { wantErr: true }),
  dummy('errs-too', { wantErr: true }),
  dummy('fatal', { wantErr: true, fatal: true }),
  { name: 'odd', kind: 'Unknown' },
];

function outcomeOf({ spec, name }: Task): TaskOutcome {
  if (spec?.wantErr === true) {
    return spec.fatal === true
      ? { state: 'fatal', reason: 'DummyTaskError', message: 'dummy error' }
      : { state: 'failed', message: `dummy error of ${name}` };
  }
  return spec?.done === true ? { state: 'done' } : { state: 'waiting', messages: [`${name} is not ready`] };
}

interface Run extends PassResult {
  readonly ran: string[];
  readonly seen: PlanStatus[];
}

async function pass(
  shape: Shape,
  options: { plan?: Strategy; phase?: Strategy; status?: PlanStatus; from?: ExecutionStatus } = {},
): Promise<Run> {
  const { plan: planStrategy = 'serial', phase: phaseStrategy = 'serial', from = 'PENDING' } = options;
  const plan: Plan = {
    ...('plan' in options && options.plan === undefined ? {} : { strategy: planStrategy }),
    phases: shape.map((steps, index) => ({
      name: `p${index}`,
      ...('phase' in options && options.phase === undefined ? {} : { strategy: phaseStrategy }),
      steps: steps.map((tasks, step) => ({ name: `s${step}`, tasks: [...tasks] })),
    })),
  };
  const status = options.status ?? {
    name: 'plan',
    status: from,
    phases: shape.map((steps, index) => ({
      name: `p${index}`,
      status: from,
      steps: steps.map((_, step) => ({ name: `s${step}`, status: from })),
    })),
  };
  const ran: string[] = [];
  const seen: PlanStatus[] = [];
  const result = await executePass(
    { plan, planName: 'plan', status, tasks: TASKS, instance: 'ns/inst' },
    {
      runTask: async (task) => {
        ran.push(task.name);
        return outcomeOf(task);
      },
      stepStarts: async (next) => void seen.push(next),
    },
  );
  return { ...result, ran, seen };
}

/** `COMPLETE / p0 COMPLETE: s0 COMPLETE` */
function words({ status }: PassResult): string {
  const phases = (status.phases ?? []).map(
    (phase) => `${phase.status}[${(phase.steps ?? []).map((step) => step.status).join(' ')}]`,
  );
  return [status.status, ...phases].join(' ');
}

const stepOf = ({ status }: PassResult, phase = 0, step = 0) => status.phases?.[phase]?.steps?.[step];

describe('executePass', () => {
  it('ENG-01 leaves a plan that is over as it is', async () => {
    const status: PlanStatus = { name: 'plan', status: 'COMPLETE', phases: [] };
    expect((await pass([[['done']]], { status })).status).toBe(status);
  });

  it('ENG-02 is in progress at all levels while a task is not done, and says what it waits for', async () => {
    const run = await pass([[['waits']]]);
    expect(words(run)).toBe('IN_PROGRESS IN_PROGRESS[IN_PROGRESS]');
    expect(stepOf(run)?.message).toBe('waits is not ready');
  });

  it('ENG-03 completes everything in one pass when the task is done', async () => {
    expect(words(await pass([[['done']]]))).toBe('COMPLETE COMPLETE[COMPLETE]');
  });

  it('ENG-04 forgets the message of an error when the task is done now', async () => {
    const status: PlanStatus = {
      name: 'plan',
      status: 'IN_PROGRESS',
      phases: [{ name: 'p0', status: 'IN_PROGRESS', steps: [{ name: 's0', status: 'ERROR', message: 'was bad' }] }],
    };
    const run = await pass([[['done']]], { status });
    expect(stepOf(run)).toEqual({ name: 's0', status: 'COMPLETE' });
  });

  it('ENG-05 marks the step of a failing task and goes on', async () => {
    const run = await pass([[['errs']]]);
    expect(words(run)).toBe('IN_PROGRESS IN_PROGRESS[ERROR]');
    expect(stepOf(run)?.message).toBe(
      'A transient error when executing task plan.p0.s0.errs. Will retry. dummy error of errs',
    );
    expect([run.hasTransient, run.failure]).toEqual([true, undefined]);
  });

  it('ENG-06 ENG-15 ends everything at a fatal error, with the message on the step only', async () => {
    const run = await pass([[['fatal']]]);
    expect(words(run)).toBe('FATAL_ERROR FATAL_ERROR[FATAL_ERROR]');
    const message = 'Error during execution: fatal error: ns/inst failed in plan.p0.s0.fatal: dummy error';
    expect(stepOf(run)?.message).toBe(message);
    expect([run.status.message, run.status.phases?.[0]?.message]).toEqual([undefined, undefined]);
    expect(run.failure).toEqual({ reason: 'DummyTaskError', message });
  });

  it('ENG-07 ends at a task that does not exist', async () => {
    const run = await pass([[['nowhere']]]);
    expect(words(run)).toBe('FATAL_ERROR FATAL_ERROR[FATAL_ERROR]');
    expect(stepOf(run)?.message).toBe('ns/inst fatal error:  missing task plan.p0.s0.nowhere');
    expect(run.failure?.reason).toBe('UnknownTaskName');
  });

  it('ENG-08 ends at a task of an unknown kind', async () => {
    const run = await pass([[['odd']]]);
    expect(stepOf(run)?.message).toContain('failed to build task plan.p0.s0.odd');
    expect(run.failure?.reason).toBe('TaskBuildError');
  });

  it.each([
    ['ENG-09', { phase: 'serial' }, [[['errs'], ['done']]], 'IN_PROGRESS IN_PROGRESS[ERROR PENDING]', ['errs']],
    [
      'ENG-10',
      { phase: 'parallel' },
      [[['errs'], ['done']]],
      'IN_PROGRESS IN_PROGRESS[ERROR COMPLETE]',
      ['errs', 'done'],
    ],
    [
      'ENG-11',
      { phase: 'parallel' },
      [[['fatal'], ['done']]],
      'FATAL_ERROR FATAL_ERROR[FATAL_ERROR PENDING]',
      ['fatal'],
    ],
    [
      'ENG-12',
      { plan: 'serial' },
      [[['errs']], [['done']]],
      'IN_PROGRESS IN_PROGRESS[ERROR] PENDING[PENDING]',
      ['errs'],
    ],
    [
      'ENG-13',
      { plan: 'parallel' },
      [[['errs']], [['done']]],
      'IN_PROGRESS IN_PROGRESS[ERROR] COMPLETE[COMPLETE]',
      ['errs', 'done'],
    ],
    [
      'ENG-14',
      { plan: 'parallel' },
      [[['fatal']], [['done']]],
      'FATAL_ERROR FATAL_ERROR[FATAL_ERROR] PENDING[PENDING]',
      ['fatal'],
    ],
    [
      'ENG-17',
      { phase: undefined },
      [[['waits'], ['done']]],
      'IN_PROGRESS IN_PROGRESS[IN_PROGRESS COMPLETE]',
      ['waits', 'done'],
    ],
  ] as const)('%s follows the strategy', async (...[, options, shape, expected, ran]) => {
    const run = await pass(shape as Shape, options as Parameters<typeof pass>[1]);
    expect(words(run)).toBe(expected);
    expect(run.ran).toEqual(ran);
  });

  it('ENG-16 completes a plan without phases', async () => {
    expect(words(await pass([]))).toBe('COMPLETE');
  });

  it('ENG-18 ENG-19 runs every task of an unfinished step again, and none of a finished one', async () => {
    const first = await pass([[['done'], ['other', 'waits']]]);
    const second = await pass([[['done'], ['other', 'waits']]], { status: first.status });
    expect(first.ran).toEqual(['done', 'other', 'waits']);
    expect(second.ran).toEqual(['other', 'waits']);
  });

  it('ENG-20 ENG-21 runs the tasks after one that failed, and names the last that did', async () => {
    const run = await pass([[['errs', 'done', 'errs-too']]]);
    expect(run.ran).toEqual(['errs', 'done', 'errs-too']);
    expect(stepOf(run)?.message).toContain('plan.p0.s0.errs-too');
  });

  it('ENG-22 ends when the status lacks a phase or a step', async () => {
    const noPhase = await pass([[['done']]], { status: { name: 'plan', status: 'PENDING', phases: [] } });
    expect([noPhase.failure?.reason, noPhase.status.message]).toEqual([
      'MissingPhaseStatus',
      'ns/inst fatal error:  missing phase status: plan.p0',
    ]);
    const phases = [{ name: 'p0', status: 'PENDING' as const, steps: [] }];
    const noStep = await pass([[['done']]], { status: { name: 'plan', status: 'PENDING', phases } });
    expect([noStep.failure?.reason, noStep.status.phases?.[0]?.message]).toEqual([
      'MissingStepStatus',
      'ns/inst fatal error:  missing step status: plan.p0.s0',
    ]);
  });

  it('ENG-23 leaves a step NEVER_RUN that is not done', async () => {
    expect(words(await pass([[['waits']]], { from: 'NEVER_RUN' }))).toBe('IN_PROGRESS NEVER_RUN[NEVER_RUN]');
  });

  it('shows every step in progress before its tasks run', async () => {
    const run = await pass([[['done'], ['other']]]);
    expect(run.seen.map((status) => words({ status, hasTransient: false }))).toEqual([
      'IN_PROGRESS IN_PROGRESS[IN_PROGRESS PENDING]',
      'IN_PROGRESS IN_PROGRESS[COMPLETE IN_PROGRESS]',
    ]);
  });
});
