import { Command } from 'commander';
import { nameOf } from '@/lib/kube/object';
import type { ParameterChange } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';
import { executionUids } from '@/server/packages/await-plan';
import { prepareUndo, previewUndo, undoRun } from '@/server/runs/undo-run';
import { type ConfirmFlags, confirmationFor, withConfirmFlag } from '../support/confirm';
import { type GateFlags, wishesOf, withGateFlags } from '../support/gate-flags';
import { requireInstance, type WaitFlags, waitForPlan } from '../support/instances';
import {
  type PreviewFlags,
  printPreview,
  readPreviewFormat,
  withPreviewFlags,
  withTokenFlag,
} from '../support/preview-flags';
import { type ClusterSession, withSession } from '../support/session';
import { warnIfNoController } from '../support/warn-if-no-controller';
import { findRun, runPlace, type WantedRun } from './find-run';

interface UndoFlags extends WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly instance?: string;
  readonly reason?: string;
}

/** `bravo run undo [RUN] [--preview] [--reason R]`: the parameters and the version from before a run, as a new run. */
export function undoCommand(): Command {
  const command = new Command('undo')
    .description('Set parameters and version back to those from before a run, which starts the plan that they trigger')
    .argument('[run]', 'the run; when absent, of --instance the one under way, else the last one')
    .option('--instance <name>', 'the instance')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withGateFlags(withTokenFlag(withPreviewFlags(withConfirmFlag(command)))).action(
    async (name: string | undefined, flags: UndoFlags, self: Command) => {
      readPreviewFormat(flags);
      await withSession(self, async (session) => {
        const wanted = { name, instance: flags.instance };
        await (flags.preview === true ? showUndo(session, wanted, flags) : undo(session, wanted, flags));
      });
    },
  );
}

async function showUndo(session: ClusterSession, wanted: WantedRun, flags: UndoFlags): Promise<void> {
  const run = await findRun(session, wanted);
  const key = { namespace: session.namespace, name: nameOf(run) };
  const preview = await previewUndo(session.api, key, session.clock, wishesOf(flags));
  printPreview(session, preview, editLines(preview), flags);
}

async function undo(session: ClusterSession, wanted: WantedRun, flags: UndoFlags): Promise<void> {
  const run = await findRun(session, wanted);
  const key = { namespace: session.namespace, name: nameOf(run) };
  const { stored, edit, preview, undo: found } = await prepareUndo(session.api, key, wishesOf(flags));
  const { [CONFIRM_ANNOTATION]: confirm } = await confirmationFor(
    preview,
    edit.operatorVersion ?? stored.operatorVersion,
    flags,
  );
  const { asPreviewed = '' } = flags;
  const request = { ...wishesOf(flags), preview: asPreviewed, ...(typeof confirm === 'string' ? { confirm } : {}) };
  const { plan = '' } = await undoRun(session.api, key, request);
  for (const line of found.notes) session.printLine(line);
  const instance = nameOf(stored.instance);
  await warnIfNoController(session, await requireInstance(session, instance));
  if (flags.wait === true) await waitForPlan(session, instance, flags, executionUids(stored.instance));
  session.printLine(`Run ${runPlace(run)} is undone by plan ${plan} of instance ${instance}.`);
}

/** The edit that starts the plan, and what a person should know before. */
function editLines({ changes, version, notes }: UndoPreview): string[] {
  return [
    ...(version === undefined ? [] : [`version ${version.from} → ${version.to}`]),
    ...changes.map(changeLine),
    ...notes,
  ];
}

function changeLine({ name, before, after }: ParameterChange): string {
  const shown = (value: string | undefined) => (value === undefined ? '(default)' : JSON.stringify(value));
  return `${name}: ${shown(before)} → ${shown(after)}`;
}
