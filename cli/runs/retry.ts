import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { isOver } from '@/lib/kudo/runs/plan-run';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import type { Instance } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import { Refusal } from '@/server/http/problem';
import type { PlanStartRequest } from '@/server/instances/parse-edit';
import { triggerPlan } from '@/server/instances/trigger-plan';
import { executionUids } from '@/server/packages/await-plan';
import { previewChange } from '@/server/preconditions/preview-change';
import { type ConfirmFlags, confirmationFor, withConfirmFlag } from '../support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from '../support/gate-flags';
import { getOperatorVersion, requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { type ClusterSession, withSession } from '../support/session';
import { warnIfNoController } from '../support/warn-if-no-controller';
import { findRun, type WantedRun } from './find-run';

interface RetryFlags extends WaitFlags, ParameterFlags, ConfirmFlags, GateFlags {
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
  return withGateFlags(withConfirmFlag(withParameterFlags(command))).action(
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
  const wishes = { retryOf, ...wishesOf(flags) };
  await start(session, instance, { plan, parameters, wishes }, flags);
  await warnIfNoController(session, await requireInstance(session, instanceName));
  if (flags.wait === true) await waitForPlan(session, instanceName, flags, executionUids(instance));
  session.printLine(`Run ${retryOf} of instance ${session.namespace}/${instanceName} is repeated.`);
}

/** @throws TerminalError that names each value that is not valid, and why the plan cannot start */
async function start(
  session: ClusterSession,
  instance: Instance,
  request: PlanStartRequest,
  flags: ConfirmFlags,
): Promise<void> {
  const { api, namespace } = session;
  const { plan, parameters = {}, wishes } = request;
  const name = nameOf(instance);
  const operatorVersion = await getOperatorVersion(session, instance);
  // As the start decides: an edit may start the plan by itself.
  const isEdit = planForChange(instance, operatorVersion, { parameters }).plan === plan;
  const edit = { parameters, ...gateWishes(wishes), ...(isEdit ? {} : { plan }) };
  const preview = await previewChange(api, instance, operatorVersion, edit);
  const { [CONFIRM_ANNOTATION]: confirm } = await confirmationFor(preview, operatorVersion, flags);
  const confirmed = typeof confirm === 'string' ? { confirm } : {};
  try {
    await triggerPlan(api, { namespace, name }, { ...request, ...confirmed }, systemRandom);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    const causes = error instanceof Refusal ? error.causes.map(({ message }) => message) : [];
    const why = causes.length === 0 ? error.message : causes.join(' ');
    throw new TerminalError(`failed to trigger plan ${plan} of instance ${namespace}/${name}: ${why}`, 'Denied');
  }
}
