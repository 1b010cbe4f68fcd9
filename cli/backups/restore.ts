import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { startEdit } from '@/lib/kudo/admission/start-edit';
import { restorePlanOf } from '@/lib/kudo/runs/backups';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import { executionUids } from '@/server/packages/await-plan';
import { type ConfirmFlags, withConfirmFlag } from '../support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from '../support/gate-flags';
import { getOperatorVersion, requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import { type PreviewFlags, readPreviewFormat, showPreview, withPreviewFlags } from '../support/preview-flags';
import { type ClusterSession, withSession } from '../support/session';
import { startPlan } from '../support/start-plan';
import { warnIfNoController } from '../support/warn-if-no-controller';

interface RestoreFlags extends WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly instance?: string;
  readonly reason?: string;
}

/** `bravo backup restore BACKUP --instance I`: starts the plan that restores, with the name of the backup. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Start the plan of an instance that restores a backup')
    .argument('<backup>', 'the name of the backup, as `bravo backup list` shows it')
    .option('--instance <name>', 'the instance')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withPreviewFlags(withGateFlags(withConfirmFlag(command))).action(
    async (backup: string, flags: RestoreFlags, self: Command) => {
      readPreviewFormat(flags);
      if ((flags.instance ?? '') === '') {
        throw new TerminalError("please choose the instance with '--instance=<instanceName>'", 'InvalidArguments');
      }
      await withSession(self, (session) => restore(session, backup, flags));
    },
  );
}

async function restore(session: ClusterSession, backup: string, flags: RestoreFlags): Promise<void> {
  const { instance: name = '' } = flags;
  const instance = await requireInstance(session, name);
  const operatorVersion = await getOperatorVersion(session, instance);
  const found = restorePlanOf(operatorVersion);
  if (found === undefined) {
    const message = `the operator of instance ${session.namespace}/${name} has no plan that asks for the name of a backup`;
    throw new TerminalError(message, 'NotFound');
  }
  const { plan, parameter } = found;
  const parameters = { [parameter]: backup };
  if (flags.preview === true) {
    const edit = { ...startEdit(instance, operatorVersion, { plan, parameters }), ...gateWishes(flags) };
    await showPreview(session, { instance, operatorVersion }, { edit }, flags);
    return;
  }
  await startPlan(session, instance, { plan, parameters, wishes: wishesOf(flags) }, flags);
  await warnIfNoController(session, await requireInstance(session, name));
  if (flags.wait === true) await waitForPlan(session, name, flags, executionUids(instance));
  session.printLine(`Plan ${plan} of instance ${session.namespace}/${name} restores backup ${backup}.`);
}
