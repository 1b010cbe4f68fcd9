import { resolve } from 'node:path';
import { TerminalError } from '@/lib/errors/errors';

/** Whether and where CPU profiles and heap snapshots are written on SIGUSR2. */
export interface ProfileSettings {
  readonly isOn: boolean;
  /** Absolute. */
  readonly folder: string;
}

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads `BRAVO_PROFILES` (`on`; off unless it is set) and `BRAVO_PROFILE_DIR` (`profiles` in the data folder).
 *
 * @throws TerminalError when `BRAVO_PROFILES` is neither on nor off
 */
export function readProfileSettings(environment: Environment, workingDir: string): ProfileSettings {
  const text = environment.BRAVO_PROFILES || 'off';
  if (text !== 'on' && text !== 'off') {
    throw new TerminalError(`BRAVO_PROFILES: "${text}" is not one of on, off.`, 'InvalidSettings');
  }
  const dataDir = resolve(workingDir, environment.BRAVO_DATA || '.bravo');
  const folder = resolve(workingDir, environment.BRAVO_PROFILE_DIR || resolve(dataDir, 'profiles'));
  return { isOn: text === 'on', folder };
}
