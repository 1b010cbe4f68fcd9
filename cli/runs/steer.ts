import { Command } from 'commander';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { CLEANUP_PLAN } from '@/lib/kudo/names';
import { cancelledCleanupWarning } from '@/lib/kudo/plan/held-deletion';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { type SteerWish, steerPatch } from '@/lib/kudo/runs/steer';
import { cancelWarning, unfinishedSteps } from '@/lib/kudo/runs/steering';
import { parseSteerWish } from '@/server/runs/parse-steer-wish';
import { readPhases } from '@/server/runs/read-phases';
import { steerRun } from '@/server/runs/steer-run';
import { requireYes, withYesFlag, type YesFlags } from '../support/ask-yes';
import { type ClusterSession, withSession } from '../support/session';
import { findSteeredRun, runPlace } from './find-run';

interface SteerFlags extends YesFlags {
  readonly instance?: string;
  readonly phase?: string;
  readonly step?: string;
  readonly reason?: string;
}

/** `bravo run pause [RUN]`. */
export function pauseCommand(): Command {
  return steering('pause', 'Hold a run: no step begins, and a step that has begun goes on');
}

/** `bravo run resume [RUN]`. */
export function resumeCommand(): Command {
  return steering('resume', 'Let a run go on that was paused or stopped after a phase');
}

/** `bravo run cancel [RUN]`: says what it leaves half done, and asks first. */
export function cancelCommand(): Command {
  const what = 'End a run after the task that runs now; what was applied stays. This cannot be taken back';
  return withYesFlag(steering('cancel', what));
}

/** `bravo run skip [RUN] --phase P --step S --reason R`. */
export function skipCommand(): Command {
  return steering('skip', 'Let a step count as done')
    .requiredOption('--phase <name>', 'the phase')
    .requiredOption('--step <name>', 'the step')
    .requiredOption('--reason <text>', 'why it may be left out');
}

/** `bravo run stop-after [RUN] --phase P`. */
export function stopAfterCommand(): Command {
  return steering('stop-after', 'Hold a run when a phase is complete').requiredOption(
    '--phase <name>',
    'the phase; an empty one takes it back',
  );
}

function steering(verb: SteerWish['do'], description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('[run]', 'the run; the one under way of --instance when absent')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, flags: SteerFlags, self: Command) => {
      const { instance, phase = '', step = '', reason = '' } = flags;
      const wish = parseSteerWish({ do: verb, phase, step, reason });
      await withSession(self, async (session) => {
        const run = await findSteeredRun(session, { name, instance });
        if (wish.do === 'cancel') await askToCancel(session, run, flags);
        await steerRun(session.api, { namespace: namespaceOf(run), name: nameOf(run) }, wish);
        session.printLine(`Run ${runPlace(run)} ${outcomeWords(wish)}.`);
      });
    });
}

/** A run that cannot be cancelled is refused before anybody is asked. */
async function askToCancel({ api, printLine }: ClusterSession, run: PlanRun, flags: SteerFlags): Promise<void> {
  const phases = await readPhases(api, run);
  steerPatch(run, { do: 'cancel' }, phases);
  printLine(cancelWarning(unfinishedSteps(phases)));
  const { plan, instanceName: name = '' } = run.spec ?? {};
  if (plan === CLEANUP_PLAN) printLine(cancelledCleanupWarning({ metadata: { name, namespace: namespaceOf(run) } }));
  const what = `run ${runPlace(run)}`;
  const declined = `${what} was not cancelled`;
  await requireYes({ text: `Cancel ${what}?`, act: `cancel ${what}`, declined }, flags);
}

function outcomeWords(wish: SteerWish): string {
  switch (wish.do) {
    case 'pause':
      return 'will be held before its next step';
    case 'resume':
      return 'goes on';
    case 'cancel':
      return 'will end after the task that runs now';
    case 'skip':
      return `will take step ${wish.step} of phase ${wish.phase} as done`;
    case 'stop-after':
      return wish.phase === '' ? 'will not be held after a phase' : `will be held after phase ${wish.phase}`;
  }
}
