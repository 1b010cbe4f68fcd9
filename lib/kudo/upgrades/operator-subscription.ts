import type { KubeObject } from '@/lib/kube/object';
import type { Advisory } from '../repository/lifecycle';
import type { MaintenanceWindow } from './operator-upgrade';

/** Follows a channel of a repository, and upgrades Instances of one operator (docs/decisions/098). */
export const OPERATOR_SUBSCRIPTIONS = {
  group: 'bravo.kudo.dev',
  version: 'v1alpha1',
  resource: 'operatorsubscriptions',
} as const;
export const OPERATOR_SUBSCRIPTION_API_VERSION = 'bravo.kudo.dev/v1alpha1';

/** On an OperatorUpgrade: the subscription that created it. */
export const SUBSCRIPTION_LABEL = 'bravo.kudo.dev/subscription';

export const APPROVAL_MODES = ['Manual', 'Automatic'] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const DEFAULT_INTERVAL_MINUTES = 60;

export interface OperatorSubscription extends KubeObject {
  spec?: OperatorSubscriptionSpec;
  status?: OperatorSubscriptionStatus;
}

export interface OperatorSubscriptionSpec {
  operator?: string;
  /** `http:` or `https:`, the folder of `index.yaml`; or `oci://registry/path` above the packages. */
  repository?: string;
  /** Public keys in PEM. Only packages that one of them has signed are installed; absent: all. */
  signatureKeys?: string[];
  /** A Secret of type `kubernetes.io/dockerconfigjson` in the namespace of the subscription, for the registry. */
  pullSecret?: string;
  /** `stable` when absent. */
  channel?: string;
  /** `Manual` when absent: a person approves each version. */
  approval?: ApprovalMode;
  /** Labels of the Instances; every Instance of the operator in the namespace when absent. */
  selector?: { [label: string]: string };
  /** How often the repository is asked; 60 when absent. */
  intervalMinutes?: number;
  /** Nothing is asked or started while this is true. */
  suspend?: boolean;
  waveSize?: number;
  pauseOnFailure?: boolean;
  rollBackWave?: boolean;
  instanceTimeoutMinutes?: number;
  window?: MaintenanceWindow;
  /** The operator's name: confirms the starts of destructive plans. */
  confirm?: string;
}

/** The merge patch of the status with which a person lets the controller ask the repository now: without a next check, it is due. */
export const CHECK_NOW = { status: { nextCheck: null } };

/** The controller writes all of it but `approvedVersion`. Times are RFC 3339 in UTC. */
export interface OperatorSubscriptionStatus {
  /** A person with the right to patch `operatorsubscriptions/status` writes the name of an OperatorVersion. */
  approvedVersion?: string;
  checkedAt?: string;
  nextCheck?: string;
  /** Checks in a row that failed. */
  failures?: number;
  /** Why the last check failed; absent after one that did not. */
  problem?: string;
  /** Repository, operator and channel of the last check. */
  observed?: string;
  /** Versions of the Instances, oldest first. */
  installed?: InstalledVersion[];
  /** The newest version of the channel: the name of its OperatorVersion. */
  available?: string;
  /** Names of the OperatorVersions that the oldest Instances move to next. */
  path?: string[];
  /** Why no upgrade is under way although there is a newer version. */
  heldBy?: string;
  /** The OperatorUpgrade that was created last. */
  upgrade?: string;
}

export interface InstalledVersion {
  /** The name of the OperatorVersion. */
  version: string;
  instances: number;
  advisories?: Advisory[];
  /** Why the version was withdrawn. */
  withdrawn?: string;
}
