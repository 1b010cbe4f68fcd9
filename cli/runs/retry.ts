import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { isOver } from '@/lib/kudo/runs/plan-run';
import { systemRandom } from '@/lib/random/random';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { executionUids } from '@/server/packages/await-plan';
import { requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { withSession } from '../support/session';
import { findRun } from './find-run';

interface RetryFlags extends WaitFlags, ParameterFlags {
  readonly instance?: string;
  readonly reason?: string;
  readonly confirm?: string;
}

/** `bravo run retry RUN`. */
export function retryCommand(): Command {
  const command = new Command('retry')
    .description('Run the plan of a run again. A failed run goes on at the step that failed, unless parameters change')
    .argument('[run]', 'the run; the last one of --instance when absent')
    .option('--instance <name>', 'the instance')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--confirm <plan/instance>', 'start the plan although it deletes or replaces data')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withParameterFlags(command).action(async (name: string | undefined, _flags: unknown, self: Command) => {
    const flags = self.opts<RetryFlags>();
    const parameters = await readParameters(flags);
    await withSession(self, async (session) => {
      const run = await findRun(session, name, flags.instance);
      const retryOf = nameOf(run);
      if (!isOver(run.status?.status)) throw new TerminalError(`run ${retryOf} is still under way`, 'Invalid');
      const { instanceName = '', plan = '' } = run.spec ?? {};
      const instance = await requireInstance(session, instanceName);
      const { reason, confirm } = flags;
      const wishes = { retryOf, ...(reason === undefined ? {} : { reason }) };
      const start = { plan, parameters, wishes, ...(confirm === undefined ? {} : { confirm }) };
      await triggerPlan(session.api, { namespace: session.namespace, name: instanceName }, start, systemRandom);
      if (flags.wait === true) await waitForPlan(session, instanceName, flags, executionUids(instance));
      session.printLine(`Run ${retryOf} of instance ${session.namespace}/${instanceName} is repeated.`);
    });
  });
}
