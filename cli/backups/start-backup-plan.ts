import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { startEdit } from '@/lib/kudo/admission/start-edit';
import { confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import { type BackupPlan, deletePlanOf, restorePlanOf } from '@/lib/kudo/runs/backup-plans';
import { gateWishes } from '@/lib/kudo/runs/run-request';
import type { OperatorVersion } from '@/lib/kudo/types';
import { executionUids } from '@/server/packages/await-plan';
import { type ConfirmFlags, withConfirmFlag } from '../support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from '../support/gate-flags';
import { getOperatorVersion, requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import { type PreviewFlags, readPreviewFormat, showPreview, withPreviewFlags } from '../support/preview-flags';
import { type ClusterSession, withSession } from '../support/session';
import { startPlan } from '../support/start-plan';
import { warnIfNoController } from '../support/warn-if-no-controller';

interface BackupPlanFlags extends WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly instance?: string;
  readonly reason?: string;
  readonly yes?: boolean;
}

/** What a verb does with a backup, by a plan of the operator. */
interface BackupVerb {
  readonly planOf: (version: OperatorVersion | undefined) => BackupPlan | undefined;
  /** What the operator lacks when it has no such plan. */
  readonly lacking: string;
  /** What the plan does, after its start and after its end. */
  readonly does: string;
  readonly did: string;
}

const RESTORE: BackupVerb = {
  planOf: restorePlanOf,
  lacking: 'no plan that asks for the name of a backup',
  does: 'restores',
  did: 'restores',
};

const DELETE: BackupVerb = {
  planOf: deletePlanOf,
  lacking: 'no plan that deletes one backup',
  does: 'deletes',
  did: 'deleted',
};

/** `bravo backup restore BACKUP --instance I`: starts the plan that restores, with the name of the backup. */
export function restoreCommand(): Command {
  const command = new Command('restore').description('Start the plan of an instance that restores a backup');
  return withAction(command, RESTORE);
}

/** `bravo backup delete BACKUP --instance I`: starts the plan that deletes one backup, with its name. */
export function deleteCommand(): Command {
  const command = new Command('delete')
    .description('Start the plan of an instance that deletes one backup')
    .option('--yes', 'do not ask for the name of the instance');
  return withAction(command, DELETE);
}

function withAction(command: Command, verb: BackupVerb): Command {
  command
    .argument('<backup>', 'the name of the backup, as `bravo backup list` shows it')
    .option('--instance <name>', 'the instance')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withPreviewFlags(withGateFlags(withConfirmFlag(command))).action(
    async (backup: string, flags: BackupPlanFlags, self: Command) => {
      readPreviewFormat(flags);
      if ((flags.instance ?? '') === '') {
        throw new TerminalError("please choose the instance with '--instance=<instanceName>'", 'InvalidArguments');
      }
      await withSession(self, (session) => run(session, backup, verb, flags));
    },
  );
}

async function run(session: ClusterSession, backup: string, verb: BackupVerb, flags: BackupPlanFlags): Promise<void> {
  const { instance: name = '' } = flags;
  const instance = await requireInstance(session, name);
  const operatorVersion = await getOperatorVersion(session, instance);
  const found = verb.planOf(operatorVersion);
  if (found === undefined) {
    const message = `the operator of instance ${session.namespace}/${name} has ${verb.lacking}`;
    throw new TerminalError(message, 'NotFound');
  }
  const { plan, parameter } = found;
  const parameters = { [parameter]: backup };
  if (flags.preview === true) {
    const edit = { ...startEdit(instance, operatorVersion, { plan, parameters }), ...gateWishes(flags) };
    await showPreview(session, { instance, operatorVersion }, { edit }, flags);
    return;
  }
  const confirmed = flags.yes === true ? { confirm: confirmationText(plan, name) } : {};
  await startPlan(session, instance, { plan, parameters, wishes: wishesOf(flags) }, { ...flags, ...confirmed });
  await warnIfNoController(session, await requireInstance(session, name));
  if (flags.wait === true) await waitForPlan(session, name, flags, executionUids(instance));
  const words = flags.wait === true ? verb.did : verb.does;
  session.printLine(`Plan ${plan} of instance ${session.namespace}/${name} ${words} backup ${backup}.`);
}
