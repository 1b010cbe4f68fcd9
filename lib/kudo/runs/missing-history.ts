/** Why the PlanRuns of a namespace cannot be read. */
export type RunsUnread = 'missing' | 'forbidden' | 'failed';

/** Why no more than the last run of each plan is known, and what to do about it. */
export function missingHistory(reason: RunsUnread, namespace: string, message = ''): string {
  if (reason === 'missing')
    return 'Only the last run of each plan is known, because this cluster keeps no records of runs. `bravo init` installs their definition.';
  if (reason === 'forbidden')
    return `Only the last run of each plan is known, because you may not list planruns.bravo.kudo.dev in namespace ${namespace}.`;
  return `Only the last run of each plan is known, because PlanRuns cannot be read${message === '' ? '' : `: ${message}`}`;
}
