import { resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';

/** Whether people may open terminals in containers through the console, and whether those are recorded. */
export interface TerminalSettings {
  readonly isOn: boolean;
  /** Absolute; undefined: nothing is recorded. */
  readonly recordingsFolder: string | undefined;
}

/**
 * Reads `BRAVO_TERMINAL` (`on`, `off`) and `BRAVO_TERMINAL_RECORDINGS` (a folder; recording is off without one).
 *
 * @throws TerminalError with one sentence
 */
export function readTerminalSettings(
  environment: { readonly [name: string]: string | undefined },
  workingDir: string,
): TerminalSettings {
  const text = environment.BRAVO_TERMINAL || 'on';
  if (text !== 'on' && text !== 'off') {
    throw new TerminalError(`BRAVO_TERMINAL: "${text}" is not one of on, off.`, 'InvalidSettings');
  }
  const folder = environment.BRAVO_TERMINAL_RECORDINGS || undefined;
  return {
    isOn: text === 'on',
    recordingsFolder: folder === undefined ? undefined : resolve(workingDir, folder),
  };
}
