import { formatTime } from '@/lib/clock/clock';
import {
  isUpgradeOver,
  type OperatorUpgrade,
  type OperatorUpgradeStatus,
  type UpgradeEntry,
  type UpgradePhase,
} from './operator-upgrade';
import { isMoving } from './upgrade-entry';

/** What was decided about an upgrade. */
export interface Decided {
  readonly entries: readonly UpgradeEntry[];
  readonly phase: UpgradePhase;
  readonly message?: string;
  readonly resumed?: number;
}

/** True for an Instance that could not be upgraded, or went back for it. */
export function isFailed({ state }: UpgradeEntry): boolean {
  return state === 'Failed' || state === 'RollBackFailed' || state === 'RolledBack';
}

/** The status with an entry for each Instance, in their order. */
export function withEntries({ spec = {}, status = {} }: OperatorUpgrade, nowMs: number): OperatorUpgradeStatus {
  if (status.instances !== undefined) return status;
  const { instances = [], waveSize = 1 } = spec;
  const entries = [...new Set(instances)].map(
    (name, index): UpgradeEntry => ({ name, wave: Math.floor(index / Math.max(1, waveSize)) + 1, state: 'Waiting' }),
  );
  return { phase: 'Pending', waves: entries.at(-1)?.wave ?? 0, startedAt: formatTime(nowMs), instances: entries };
}

/** The status of what was decided. */
export function summary(before: OperatorUpgradeStatus, decided: Decided, nowMs: number): OperatorUpgradeStatus {
  const { entries, phase, resumed = before.resumed } = decided;
  const { waves = 0, startedAt = formatTime(nowMs) } = before;
  const wave = entries.find(({ state }) => state !== 'Upgraded' && state !== 'Skipped')?.wave;
  const upgraded = entries.filter(({ state }) => state === 'Upgraded').length;
  const message = decided.message ?? messageOf(entries, phase);
  const isOver = isUpgradeOver({ status: { phase } });
  return {
    ...{ phase, waves, upgraded, startedAt, instances: [...entries] },
    ...(message === '' ? {} : { message }),
    ...(wave === undefined || isOver ? {} : { wave }),
    ...(resumed === undefined ? {} : { resumed }),
    ...(isOver ? { finishedAt: before.finishedAt ?? formatTime(nowMs) } : {}),
  };
}

/** What the upgrade waits for: the first entry that says so. */
function messageOf(entries: readonly UpgradeEntry[], phase: UpgradePhase): string {
  if (phase === 'Complete') return `All ${entries.length} Instances are upgraded.`;
  const said = entries.filter(({ message }) => message !== undefined);
  const first = said.find(({ state }) => state === 'Held') ?? said.find(isMoving) ?? said.find(isFailed);
  return first === undefined ? '' : entryWords(first);
}

/** What an Instance waits for, or why it failed, with its name. */
export function entryWords({ name, problem, message = '' }: UpgradeEntry): string {
  const text = problem ?? message;
  return text.startsWith(`Instance ${name} `) ? text : `Instance ${name}: ${text}`;
}
