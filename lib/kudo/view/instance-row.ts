import { nameOf, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_LABEL, operatorVersionKey } from '@/lib/kudo/names';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type InstanceState, instanceState } from './instance-state';
import { newerVersion } from './newer-version';
import { activePlan, newestPlan, type PlanView } from './plan-view';

/** An Instance, as lists and its page show it. */
export interface InstanceRow {
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly state: InstanceState;
  readonly operator: string;
  /** The application's version, or the operator's when it has none. */
  readonly version: string;
  readonly operatorVersion: string;
  /** A newer OperatorVersion of the same operator in the same namespace. */
  readonly newer: { readonly name: string; readonly version: string } | undefined;
  readonly active: PlanView | undefined;
  readonly last: PlanView | undefined;
  readonly createdAt: string | undefined;
  readonly instance: Instance;
  readonly operatorVersionObject: OperatorVersion | undefined;
  /** True when its OperatorVersion does not exist; false while versions cannot be read. */
  readonly isVersionMissing: boolean;
}

/** OperatorVersions by `namespace/name`. */
export type VersionsByKey = ReadonlyMap<string, OperatorVersion>;

export function instanceRow(instance: Instance, versions: VersionsByKey, versionsKnown: boolean): InstanceRow {
  const reference = operatorVersionKey(instance);
  const version = versions.get(`${reference.namespace}/${reference.name}`);
  const active = activePlan(instance, version);
  const last = newestPlan(instance, version);
  return {
    key: `${namespaceOf(instance)}/${nameOf(instance)}`,
    uid: instance.metadata.uid ?? '',
    namespace: namespaceOf(instance),
    name: nameOf(instance),
    state: instanceState(instance, { active, last }, version !== undefined || !versionsKnown),
    operator: version?.spec?.operator?.name ?? instance.metadata.labels?.[OPERATOR_LABEL] ?? reference.name,
    version: shownVersion(version) ?? reference.name,
    operatorVersion: reference.name,
    newer: version === undefined ? undefined : newerVersion(version, versions),
    active,
    last,
    createdAt: instance.metadata.creationTimestamp ?? undefined,
    instance,
    operatorVersionObject: version,
    isVersionMissing: version === undefined && versionsKnown,
  };
}

/** The application's version, else the operator's own. */
export function shownVersion(version: OperatorVersion | undefined): string | undefined {
  const { appVersion = '', version: own } = version?.spec ?? {};
  return appVersion === '' ? own : appVersion;
}
