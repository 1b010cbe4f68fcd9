import { Command } from 'commander';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { SteerWish } from '@/lib/kudo/runs/steer';
import { steerRun } from '@/server/runs/steer-run';
import { type ClusterSession, withSession } from '../support/session';
import { findRun, runPlace } from './find-run';

interface SteerFlags {
  readonly instance?: string;
  readonly phase?: string;
  readonly step?: string;
  readonly reason?: string;
}

export function pauseCommand(): Command {
  return steering('pause', 'Hold a run: no step begins, and a step that has begun goes on', () => ({ do: 'pause' }));
}

export function resumeCommand(): Command {
  return steering('resume', 'Let a run go on that was paused or stopped after a phase', () => ({ do: 'resume' }));
}

export function cancelCommand(): Command {
  const what = 'End a run after the task that runs now; what was applied stays. This cannot be taken back';
  return steering('cancel', what, () => ({ do: 'cancel' }));
}

export function skipCommand(): Command {
  const command = steering('skip', 'Let a step count as done', ({ phase = '', step = '', reason = '' }) => {
    return { do: 'skip', phase, step, reason };
  });
  return command
    .requiredOption('--phase <name>', 'the phase')
    .requiredOption('--step <name>', 'the step')
    .requiredOption('--reason <text>', 'why it may be left out');
}

export function stopAfterCommand(): Command {
  const command = steering('stop-after', 'Hold a run when a phase is complete', ({ phase = '' }) => {
    return { do: 'stop-after', phase };
  });
  return command.requiredOption('--phase <name>', 'the phase; an empty one takes it back');
}

const DONE: { readonly [wish in SteerWish['do']]: string } = {
  pause: 'will be held before its next step',
  resume: 'goes on',
  cancel: 'will end after the task that runs now',
  skip: 'will take the step as done',
  'stop-after': 'will be held after that phase',
};

function steering(verb: string, description: string, wishOf: (flags: SteerFlags) => SteerWish): Command {
  return new Command(verb)
    .description(description)
    .argument('[run]', 'the run; the one under way of --instance when absent')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, flags: SteerFlags, self: Command) => {
      const wish = wishOf(flags);
      await withSession(self, async (session) => {
        const run = await findRun(session, name, flags.instance);
        session.printLine(`Run ${await steer(session, run, wish)} ${DONE[wish.do]}.`);
      });
    });
}

async function steer(session: ClusterSession, run: PlanRun, wish: SteerWish): Promise<string> {
  await steerRun(session.api, { namespace: namespaceOf(run), name: nameOf(run) }, wish);
  return runPlace(run);
}
