import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { PlanPreview } from '@/lib/kudo/view/plan-preview';
import { type PreviewedStart, previewEffects } from '@/server/instances/preview-plan';
import type { StoredInstance } from '@/server/instances/read-instance';
import { formatOne, type OutputFormat, readFormat } from './output';
import { previewLines } from './preview-lines';
import type { ClusterSession } from './session';

/** `--as-previewed`, of verbs whose start says which preview was seen. */
export function withTokenFlag(command: Command): Command {
  const what = 'the `token` of a preview (-o json): the record of the run says whether it applied the same';
  return command.option('--as-previewed <token>', what);
}

export interface PreviewFlags {
  readonly preview?: boolean;
  readonly output?: string;
  readonly asPreviewed?: string;
}

/** `--preview` and its `-o`, of each verb that can start a plan. */
export function withPreviewFlags(command: Command): Command {
  return command
    .option('--preview', 'only show what would be done: every object of each step, and how it changes')
    .option('-o, --output <format>', 'of the preview: yaml or json');
}

/** The format of the preview. @throws TerminalError `InvalidArguments` for another one, and for one without `--preview` */
export function readPreviewFormat({ preview, output }: PreviewFlags): OutputFormat {
  if (output !== undefined && preview !== true) {
    throw new TerminalError('-o is the format of the preview: add --preview', 'InvalidArguments');
  }
  return readFormat(output);
}

/** Prints what a start of a plan or an edit would do, and starts nothing. */
export async function showPreview(
  session: ClusterSession,
  stored: StoredInstance,
  start: PreviewedStart,
  flags: PreviewFlags,
): Promise<void> {
  printPreview(session, await previewEffects(session.api, stored, start, session.clock), [], flags);
}

/** @param head lines before the plan */
export function printPreview(
  { printLine }: Pick<ClusterSession, 'printLine'>,
  preview: PlanPreview,
  head: readonly string[],
  flags: PreviewFlags,
): void {
  const format = readPreviewFormat(flags);
  if (format !== undefined) printLine(formatOne(preview, format));
  else for (const line of [...head, ...previewLines(preview)]) printLine(line);
}
