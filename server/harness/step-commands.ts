import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type CommandEnvironment, expandVariables, type HarnessCommand, programOf } from '@/lib/harness/command';
import { maskCommandLine } from '@/lib/harness/mask-secrets';
import type { Harness, HarnessLog } from './harness';
import { type RunningProgram, startProgram } from './run-command';

/** Where commands run. */
export interface CommandPlace {
  readonly harness: Harness;
  readonly namespace: string;
  readonly folder: string;
  /** The KUBECONFIG of these commands. */
  readonly kubeconfig: string;
  readonly log: HarnessLog;
}

/** The environment of a command: the caller's, and NAMESPACE, KUBECONFIG and PATH. */
export function commandEnvironment({ harness, namespace, kubeconfig }: CommandPlace): CommandEnvironment {
  const { environment, launchers, folder } = harness;
  const path = [join(folder, 'bin/'), ...launchers, environment.PATH ?? ''].join(delimiter);
  return { ...environment, NAMESPACE: namespace, KUBECONFIG: kubeconfig, PATH: path };
}

/** The kubeconfig that a TestStep names: variables are expanded, a relative path begins at the case's folder. */
export function kubeconfigOf(written: string, folder: string, environment: CommandEnvironment): string {
  const expanded = expandVariables(written, environment);
  return isAbsolute(expanded) ? expanded : resolve(folder, expanded);
}

/** A command that ended, or that goes on in the background. */
export interface CommandResult {
  readonly error: string | undefined;
  readonly running: RunningProgram | undefined;
}

/**
 * Runs one command (KUTTL utils/commands.go RunCommand).
 * @param timeoutSeconds when the command has none of its own; 0: none
 */
export async function runHarnessCommand(
  command: HarnessCommand,
  place: CommandPlace,
  timeoutSeconds: number,
): Promise<CommandResult> {
  const { harness, log } = place;
  const environment = commandEnvironment(place);
  const call = programOf(command, place.namespace, environment);
  if (typeof call === 'string') return { error: call, running: undefined };
  const shown = maskCommandLine(call.shown);
  const seconds = command.timeout === 0 ? timeoutSeconds : Math.max(0, command.timeout);
  log.line(`running command: ${shown}`);
  const program = startProgram(call, {
    folder: place.folder,
    environment,
    timeoutMs: command.background ? 0 : seconds * 1_000,
    pace: harness.pace,
    signal: harness.signal,
    onLine: command.skipLogOutput ? undefined : (line) => log.line(line),
  });
  if (command.background) return { error: undefined, running: program };
  return { error: await failureOf(program, { shown, seconds, ignore: command.ignoreFailure }), running: undefined };
}

async function failureOf(
  program: RunningProgram,
  { shown, seconds, ignore }: { shown: string; seconds: number; ignore: boolean },
): Promise<string | undefined> {
  const end = await program.ended;
  switch (end.is) {
    case 'timeout':
      return `command "${shown}" exceeded ${seconds} sec timeout, context deadline exceeded`;
    case 'not-started':
      return `command "${shown}" failed, ${end.why}`;
    case 'exited':
      return end.code === 0 || ignore ? undefined : `command "${shown}" failed, exit status ${end.code}`;
  }
}

/** Runs commands in order; after the first failure the others are skipped. Background ones are added to `running`. */
export async function runCommands(
  commands: readonly HarnessCommand[],
  place: CommandPlace,
  { timeoutSeconds, running }: { readonly timeoutSeconds: number; readonly running: RunningProgram[] },
): Promise<string | undefined> {
  for (const [index, command] of commands.entries()) {
    const result = await runHarnessCommand(command, place, timeoutSeconds);
    if (result.running !== undefined) running.push(result.running);
    if (result.error === undefined) continue;
    const skipped = commands.length - index - 1;
    if (skipped > 0) place.log.line(`command failure, skipping ${skipped} additional commands`);
    return result.error;
  }
  return undefined;
}
