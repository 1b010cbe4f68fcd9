import type { KubeObject } from '@/lib/kube/object';

/** Moves Instances of one operator to a newer version, or runs a plan on them, in waves (docs/decisions/098, 106). */
export const OPERATOR_UPGRADES = {
  group: 'bravo.kudo.dev',
  version: 'v1alpha1',
  resource: 'operatorupgrades',
} as const;
export const OPERATOR_UPGRADE_API_VERSION = 'bravo.kudo.dev/v1alpha1';

/** On an Instance: the name of the OperatorUpgrade that moves it. No other one may, as long as that one is not over. */
export const UPGRADE_ANNOTATION = 'bravo.kudo.dev/upgrade';

export const DEFAULT_INSTANCE_TIMEOUT_MINUTES = 60;

/** `Paused` waits for a person. The last four are over. */
export const UPGRADE_PHASES = [
  'Pending',
  'Running',
  'Paused',
  'RollingBack',
  'Complete',
  'Failed',
  'Cancelled',
  'RolledBack',
] as const;
export type UpgradePhase = (typeof UPGRADE_PHASES)[number];

/**
 * `Waiting`: its wave has not begun. `Held`: something named keeps it from moving now (a lock, a missing approval, another plan).
 * `Skipped`: the upgrade ended before it.
 */
export const ENTRY_STATES = [
  'Waiting',
  'Held',
  'Running',
  'Upgraded',
  'Failed',
  'RollingBack',
  'RolledBack',
  'RollBackFailed',
  'Skipped',
] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

export interface OperatorUpgrade extends KubeObject {
  spec?: OperatorUpgradeSpec;
  status?: OperatorUpgradeStatus;
}

/** Operator, Instances, path and size of waves are fixed once created; the last four fields steer. */
export interface OperatorUpgradeSpec {
  operator?: string;
  /** Names of Instances in the same namespace, in the order of the waves. */
  instances?: string[];
  /** Names of OperatorVersions in the same namespace: each Instance moves to one after the other. Absent when `plan` is set. */
  path?: string[];
  /** A plan that runs once on each Instance, at the version that it has; it cannot be rolled back. Absent when `path` is set. */
  plan?: string;
  /** Values that go with the moves, each as soon as a version defines the parameter. */
  parameters?: { [name: string]: string };
  /** Instances at once; 1 when absent. */
  waveSize?: number;
  /** True when absent: a failure ends the wave, and a person decides. */
  pauseOnFailure?: boolean;
  /** A wave with a failure goes back to the versions and values from before. */
  rollBackWave?: boolean;
  /** When moves may start; always when absent. */
  window?: MaintenanceWindow;
  /** The operator's name: confirms the starts of destructive plans. */
  confirm?: string;
  /** A plan that takes longer counts as failed; 60 when absent. */
  instanceTimeoutMinutes?: number;
  /** The person's words, for the records of the runs. */
  reason?: string;
  /** Nothing new starts while this is true. */
  pause?: boolean;
  /** A higher number continues a paused upgrade, and tries again what failed in its wave. */
  resume?: number;
  /** Nothing new starts; the upgrade is over when what runs has ended. */
  cancel?: boolean;
  /** Every Instance that was moved goes back. */
  rollBack?: boolean;
}

/** A time in which upgrades may start: from the times of a cron expression on, for so many minutes. */
export interface MaintenanceWindow {
  start?: string;
  durationMinutes?: number;
  /** IANA name; UTC when absent. */
  timeZone?: string;
}

/** Times are RFC 3339 in UTC. */
export interface OperatorUpgradeStatus {
  phase?: UpgradePhase;
  /** What the upgrade waits for, or how it ended, in a sentence. */
  message?: string;
  /** The wave that moves now, from 1; and how many there are. */
  wave?: number;
  waves?: number;
  /** How many Instances have the last version. */
  upgraded?: number;
  /** The number of `spec.resume` that was obeyed last. */
  resumed?: number;
  startedAt?: string;
  finishedAt?: string;
  instances?: UpgradeEntry[];
}

/** In place of a version: the plan of this upgrade has been started on the Instance. */
export const PLAN_STARTED = 'plan-started';

/** What became of one Instance. `Upgraded` is also a plan that is complete. */
export interface UpgradeEntry {
  name: string;
  /** From 1. */
  wave: number;
  state: EntryState;
  /** Its OperatorVersion before the upgrade. */
  from?: string;
  /** Index in `spec.path` of the version that it moves to. */
  step?: number;
  /** When this step, or the way back, began. */
  since?: string;
  /** The execution that was the latest one when this step began: a newer one is that of the step. */
  lastUid?: string;
  /** The execution that failed and is tried again. */
  retryOf?: string;
  /** What it waits for, or why it ended so. */
  message?: string;
  /** Why it failed; stays while it goes back. */
  problem?: string;
}

const OVER: readonly UpgradePhase[] = ['Complete', 'Failed', 'Cancelled', 'RolledBack'];

/** True when nothing will happen any more. */
export function isUpgradeOver({ status }: Pick<OperatorUpgrade, 'status'>): boolean {
  return OVER.includes(status?.phase ?? 'Pending');
}
