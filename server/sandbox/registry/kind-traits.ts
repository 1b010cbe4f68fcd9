import { groupResourceName, type ResourceInfo } from './resource-info';

/** What differs from kind to kind in the common life of objects (the strategies of Kubernetes pkg/registry). */
type Trait = (info: ResourceInfo) => boolean;

function traitOf(resources: string): Trait {
  const names = new Set(resources.split(/\s+/));
  return ({ group, resource }) => names.has(groupResourceName(group, resource));
}

/** PUT of an object that does not exist makes it (AllowCreateOnUpdate). */
export const createsOnUpdate = traitOf(
  `endpoints events limitranges services leases.coordination.k8s.io events.events.k8s.io
  priorityclasses.scheduling.k8s.io roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
  clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`,
);

const builtinNeedsVersion = traitOf(
  `customresourcedefinitions.apiextensions.k8s.io leases.coordination.k8s.io poddisruptionbudgets.policy
  apiservices.apiregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io`,
);

/** PUT must name the resourceVersion (AllowUnconditionalUpdate is false). */
export const needsVersion: Trait = (info) => info.custom !== undefined || builtinNeedsVersion(info);

/** DELETE answers the object, not a Status (ReturnDeletedObject). */
export const returnsDeletedObject = traitOf(
  `persistentvolumeclaims persistentvolumes pods podtemplates resourcequotas serviceaccounts services
  storageclasses.storage.k8s.io`,
);

/** Dependents are orphaned when the request does not say (DefaultGarbageCollectionPolicy). */
export const orphansByDefault = traitOf('jobs.batch replicationcontrollers');

/** Errors of changed metadata are reported by the registry alone; the strategy of the kind does not check it. */
export const reportsMetadataOnce = traitOf(
  `events limitranges persistentvolumes events.events.k8s.io
  mutatingwebhookconfigurations.admissionregistration.k8s.io
  validatingwebhookconfigurations.admissionregistration.k8s.io`,
);
