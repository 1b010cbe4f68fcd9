import type { ObjectChange } from '../parameters/parameter-edit';
import type { Advisory } from '../repository/lifecycle';
import type { ParameterRow } from './parameter-rows';
import type { PlanDifference } from './plan-differences';

/** A version as pages and the command line name it. */
export interface NamedVersion {
  /** Of the OperatorVersion: `postgres-16.9-1.1.0`. */
  readonly name: string;
  readonly operatorVersion: string;
  /** Empty without one. */
  readonly appVersion: string;
}

/** One move of an upgrade. */
export interface UpgradeStep extends NamedVersion {
  /** The plan that runs; undefined when the move starts none. */
  readonly plan: string | undefined;
  /** The plan deletes or replaces data, and has to be confirmed. */
  readonly isDestructive: boolean;
  /** The namespace has the OperatorVersion. */
  readonly isInstalled: boolean;
}

/** One thing that was looked at before the upgrade. */
export interface UpgradeCheck {
  readonly check: UpgradeCheckName;
  /** `blocked`: the upgrade cannot start now. `warning`: it can, and somebody should read this. `unknown`: it could not be found out. */
  readonly state: 'ok' | 'warning' | 'blocked' | 'unknown';
  /** A sentence; empty when it is `ok`. */
  readonly message: string;
}

export const UPGRADE_CHECKS = [
  'path',
  'advisories',
  'kubernetes',
  'apis',
  'parameters',
  'start',
  'running',
  'definitions',
  'objects',
  'backups',
] as const;
export type UpgradeCheckName = (typeof UPGRADE_CHECKS)[number];

export const CHECK_TITLES: { readonly [check in UpgradeCheckName]: string } = {
  path: 'Path',
  advisories: 'Advisories',
  kubernetes: 'Kubernetes version',
  apis: 'Removed APIs',
  parameters: 'Parameters',
  start: 'Locks, preconditions, approvals',
  running: 'Running plan',
  definitions: 'CustomResourceDefinitions',
  objects: 'Objects',
  backups: 'Backups',
};

/** What an upgrade of one Instance would do, and whether it can start. Nothing of it is written; secret values are masked. */
export interface UpgradePlan {
  readonly namespace: string;
  readonly instance: string;
  readonly operator: string;
  readonly installed: NamedVersion;
  /** Undefined when there is no newer version. */
  readonly target: NamedVersion | undefined;
  /** In their order; empty when there is nothing to do, or no path. */
  readonly steps: readonly UpgradeStep[];
  /** Known problems of the installed version. */
  readonly advisories: readonly Advisory[];
  /** Why the installed version was withdrawn; undefined when it was not. */
  readonly withdrawn: string | undefined;
  readonly parameters: readonly ParameterRow[];
  readonly plans: readonly PlanDifference[];
  /** Objects that differ between the installed version and the target, with the Instance's values. */
  readonly objects: readonly ObjectChange[];
  readonly unchanged: number;
  /** Objects that the target does not apply any more, and that stay: `Kind name`. */
  readonly leftOver: readonly string[];
  /** Workloads whose pods restart or stop, a sentence each. */
  readonly restarts: readonly string[];
  readonly checks: readonly UpgradeCheck[];
}

/** True when a check says that the upgrade cannot start. */
export function isBlocked({ checks }: Pick<UpgradePlan, 'checks'>): boolean {
  return checks.some(({ state }) => state === 'blocked');
}
