import type { ProfileSettings } from '@/server/config/profiles';
import type { Log } from '@/server/log/log';

/**
 * Records on SIGUSR2 when the settings say so. When they do not, the signal is ignored with a line of the log: without a handler it would end
 * the process.
 *
 * @param record starts profiles in every part of the process; must not throw
 * @returns ends it
 */
export function profileOnSignal(settings: ProfileSettings, log: Log, record: () => void): () => void {
  const onSignal = () => {
    if (settings.isOn) record();
    else log.warn('profile.ignored', { reason: 'BRAVO_PROFILES is off', advice: 'start with BRAVO_PROFILES=on' });
  };
  process.on('SIGUSR2', onSignal);
  return () => void process.removeListener('SIGUSR2', onSignal);
}
