import type { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { withPrompter } from './prompter';

export interface YesFlags {
  readonly yes?: boolean;
}

/** `-y`, of each verb that asks before it does what cannot be taken back. */
export function withYesFlag(command: Command): Command {
  return command.option('-y, --yes', 'do not ask');
}

export interface YesQuestion {
  /** `Delete these 3 objects?` */
  readonly text: string;
  /** What `--yes` would do, for somebody who cannot be asked: `delete these 3 objects`. */
  readonly act: string;
  /** What a person is told who does not say yes. */
  readonly declined: string;
}

/** Whether the person says yes. */
export type AskYes = (text: string) => Promise<boolean>;

/** Undefined when nobody can answer. */
function askOnTerminal(): AskYes | undefined {
  if (process.stdin.isTTY !== true) return undefined;
  return (text) => withPrompter((prompter) => prompter.confirm(text));
}

/** @throws TerminalError when the answer is not yes, or standard input is not a terminal and the flag is not set */
export async function requireYes(
  { text, act, declined }: YesQuestion,
  flags: YesFlags,
  ask: AskYes | undefined = askOnTerminal(),
): Promise<void> {
  if (flags.yes === true) return;
  if (ask === undefined) {
    throw new TerminalError(
      `Pass --yes to ${act}: standard input is not a terminal, so the command cannot ask.`,
      'InvalidArguments',
    );
  }
  if (!(await ask(text))) throw new TerminalError(declined, 'Cancelled');
}
