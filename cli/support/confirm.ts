import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { OperatorVersion } from '@/lib/kudo/types';
import { withPrompter } from './prompter';

export interface ConfirmFlags {
  readonly confirm?: string;
}

/** `--confirm`, of each verb that can start a plan. */
export function withConfirmFlag(command: Command): Command {
  return command.option(
    '--confirm <plan/instance>',
    'start this plan of this instance although it deletes or replaces data',
  );
}

/** Shows what is to be confirmed, and returns what the person types. */
export type AskName = (what: string) => Promise<string>;

/** Undefined when nobody can answer. */
function askOnTerminal(): AskName | undefined {
  if (process.stdin.isTTY !== true) return undefined;
  return async (what) => {
    process.stdout.write(`${what}\n`);
    return withPrompter((prompter) => prompter.ask({ text: 'Type the name of the instance to continue' }));
  };
}

/**
 * The annotations that the write needs when it starts a destructive plan; empty when it does not. The confirmation is the flag, or the
 * name of the instance typed on a terminal.
 * @throws TerminalError `NotConfirmed` without a terminal or with another name; it says how to confirm
 */
export async function confirmationFor(
  { plan = '', confirmation, instance }: ChangePreview,
  operatorVersion: OperatorVersion | undefined,
  flags: ConfirmFlags,
  ask: AskName | undefined = askOnTerminal(),
): Promise<JsonObject> {
  if (confirmation === undefined) return {};
  const annotations = { [CONFIRM_ANNOTATION]: confirmation };
  if (flags.confirm === confirmation) return annotations;
  const { name = '' } = instance.metadata;
  const what = `plan "${plan}" of instance ${name} deletes or replaces data`;
  if (flags.confirm !== undefined) {
    throw notConfirmed(`${what}; --confirm ${flags.confirm} does not confirm that, --confirm ${confirmation} does`);
  }
  if (ask === undefined) throw notConfirmed(`${what}. To confirm that, add --confirm ${confirmation}`);
  const { confirm = '' } = planMetadataOf(operatorVersion, plan);
  const answer = await ask(`${what.charAt(0).toUpperCase()}${what.slice(1)}. ${confirm}`.trimEnd());
  if (answer === name) return annotations;
  throw notConfirmed(`plan "${plan}" was not started: "${answer}" is not the name of the instance`);
}

function notConfirmed(message: string): TerminalError {
  return new TerminalError(message, 'NotConfirmed');
}
