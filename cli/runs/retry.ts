import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { isOver } from '@/lib/kudo/runs/plan-run';
import { executionUids } from '@/server/packages/await-plan';
import { type ConfirmFlags, withConfirmFlag } from '../support/confirm';
import { requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { type ClusterSession, withSession } from '../support/session';
import { warnIfNoController } from '../support/warn-if-no-controller';
import { findRun, type WantedRun } from './find-run';
import { startAgain } from './start-again';

interface RetryFlags extends WaitFlags, ParameterFlags, ConfirmFlags {
  readonly instance?: string;
  readonly reason?: string;
}

/** `bravo run retry [RUN] [-p NAME=VALUE …]`: starts the plan of a run that is over again. */
export function retryCommand(): Command {
  const command = new Command('retry')
    .description('Run the plan of a run again. A failed run goes on at the step that failed, unless parameters change')
    .argument('[run]', 'the run; the last one of --instance when absent')
    .option('--instance <name>', 'the instance')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withConfirmFlag(withParameterFlags(command)).action(
    async (name: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.opts<RetryFlags>();
      const parameters = await readParameters(flags);
      await withSession(self, (session) => retry(session, { name, instance: flags.instance }, parameters, flags));
    },
  );
}

async function retry(
  session: ClusterSession,
  wanted: WantedRun,
  parameters: { readonly [name: string]: string },
  flags: RetryFlags,
): Promise<void> {
  const run = await findRun(session, wanted);
  const retryOf = nameOf(run);
  if (!isOver(run.status?.status)) throw new TerminalError(`run ${retryOf} is still under way`, 'Invalid');
  const { instanceName = '', plan = '' } = run.spec ?? {};
  const instance = await requireInstance(session, instanceName);
  const { reason } = flags;
  const wishes = { retryOf, ...(reason === undefined ? {} : { reason }) };
  await startAgain(session, instance, { plan, parameters, wishes }, flags);
  await warnIfNoController(session, await requireInstance(session, instanceName));
  if (flags.wait === true) await waitForPlan(session, instanceName, flags, executionUids(instance));
  session.printLine(`Run ${retryOf} of instance ${session.namespace}/${instanceName} is repeated.`);
}
