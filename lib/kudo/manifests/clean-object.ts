import { cloneJson, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { controllerOf, type KubeObject, nameOf } from '@/lib/kube/object';

/** Metadata that only the server writes, or that belongs to one cluster. */
const SERVER_METADATA = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  'ownerReferences',
  'namespace',
] as const;

const SERVER_ANNOTATIONS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kudo.dev/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.kubernetes.io/selected-node',
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
];

/** A copy without status, namespace and what the server or a controller wrote. */
export function cleanObject(object: KubeObject): KubeObject {
  const copy = cloneJson(object) as KubeObject & JsonObject;
  delete copy.status;
  cleanMetadata(copy.metadata as unknown as JsonObject);
  const spec = objectAt(copy, 'spec');
  for (const template of [objectAt(spec, 'template'), objectAt(spec, 'jobTemplate', 'spec', 'template')]) {
    if (isJsonObject(template.metadata)) cleanMetadata(template.metadata);
  }
  if (copy.kind === 'Service' && spec.clusterIP !== 'None') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (copy.kind === 'PersistentVolumeClaim') delete spec.volumeName;
  if (copy.kind === 'ServiceAccount') delete copy.secrets;
  if (Array.isArray(spec.volumeClaimTemplates)) {
    for (const claim of spec.volumeClaimTemplates) {
      if (!isJsonObject(claim)) continue;
      delete claim.status;
      if (isJsonObject(claim.metadata)) cleanMetadata(claim.metadata);
    }
  }
  return copy;
}

function cleanMetadata(metadata: JsonObject): void {
  for (const key of SERVER_METADATA) delete metadata[key];
  if (!isJsonObject(metadata.annotations)) return;
  for (const key of SERVER_ANNOTATIONS) delete metadata.annotations[key];
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

const NEVER = new Set(['Event', 'Endpoints', 'EndpointSlice', 'Node', 'ControllerRevision', 'Lease']);

/** Why an object does not belong into a package, or undefined: a controller or the cluster makes it. */
export function reasonToSkip(object: KubeObject): string | undefined {
  const owner = controllerOf(object);
  const name = nameOf(object);
  if (owner !== undefined) return `${owner.kind} ${owner.name} creates it`;
  if (NEVER.has(object.kind)) return 'the cluster creates objects of this kind';
  if (object.kind === 'ServiceAccount' && name === 'default') return 'the cluster creates it in each namespace';
  if (object.kind === 'ConfigMap' && name === 'kube-root-ca.crt') return 'the cluster creates it in each namespace';
  if (object.kind === 'Secret' && stringAt(object, 'type') === 'kubernetes.io/service-account-token') {
    return 'the cluster creates the tokens of ServiceAccounts';
  }
  return name === '' ? 'it has no name' : undefined;
}
