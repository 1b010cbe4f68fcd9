import { groupResourceName, type ResourceInfo } from './resource-info';

/** What differs from kind to kind in the common life of objects (the strategies of Kubernetes pkg/registry). */

/** PUT of an object that is not there makes it (AllowCreateOnUpdate). */
const CREATE_ON_UPDATE = new Set(
  `endpoints events limitranges services leases.coordination.k8s.io events.events.k8s.io
  priorityclasses.scheduling.k8s.io roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
  clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`.split(/\s+/),
);

/** PUT must name the resourceVersion (AllowUnconditionalUpdate is false). */
const NEEDS_VERSION = new Set(
  `customresourcedefinitions.apiextensions.k8s.io leases.coordination.k8s.io poddisruptionbudgets.policy
  apiservices.apiregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io
  validatingadmissionpolicies.admissionregistration.k8s.io
  validatingadmissionpolicybindings.admissionregistration.k8s.io
  mutatingadmissionpolicies.admissionregistration.k8s.io
  mutatingadmissionpolicybindings.admissionregistration.k8s.io runtimeclasses.node.k8s.io
  csidrivers.storage.k8s.io csinodes.storage.k8s.io csistoragecapacities.storage.k8s.io
  volumeattachments.storage.k8s.io`.split(/\s+/),
);

/** DELETE answers the object, not a Status (ReturnDeletedObject). */
const RETURNS_OBJECT = new Set(
  `persistentvolumeclaims persistentvolumes pods podtemplates resourcequotas serviceaccounts services
  csidrivers.storage.k8s.io csinodes.storage.k8s.io storageclasses.storage.k8s.io volumeattachments.storage.k8s.io`.split(
    /\s+/,
  ),
);

/** Dependents are orphaned when the request does not say (DefaultGarbageCollectionPolicy). */
const ORPHANS_BY_DEFAULT = new Set(['jobs.batch', 'replicationcontrollers']);

/** Errors of changed metadata are reported by the registry alone; the strategy of the kind does not check it. */
const METADATA_REPORTED_ONCE = new Set([
  'events',
  'limitranges',
  'persistentvolumes',
  'events.events.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'volumeattachments.storage.k8s.io',
]);

export function reportsMetadataOnce(info: ResourceInfo): boolean {
  return METADATA_REPORTED_ONCE.has(groupResourceName(info.group, info.resource));
}

/** ConfigMaps are validated whole by two more checks of every update, and errors of metadata are reported again. */
export function repeatedMetadataChecks(info: ResourceInfo): readonly number[] {
  return info.storage === 'configmaps' ? [1, 2] : [];
}

export function createsOnUpdate(info: ResourceInfo): boolean {
  return CREATE_ON_UPDATE.has(groupResourceName(info.group, info.resource));
}

export function needsVersion(info: ResourceInfo): boolean {
  return info.custom !== undefined || NEEDS_VERSION.has(groupResourceName(info.group, info.resource));
}

export function returnsDeletedObject(info: ResourceInfo): boolean {
  return RETURNS_OBJECT.has(groupResourceName(info.group, info.resource));
}

export function orphansByDefault(info: ResourceInfo): boolean {
  return ORPHANS_BY_DEFAULT.has(groupResourceName(info.group, info.resource));
}
