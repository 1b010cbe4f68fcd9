import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { dnsLabelProblems } from '@/lib/kube/label-syntax';
import { duplicate, forbidden, invalid, notFound, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkName } from '../validation/numbers';
import { checkBackSteps } from './validate-paths';

/** The members of a source that must be there. */
const NEEDED: { readonly [source: string]: readonly string[] } = {
  configMap: ['name'],
  secret: ['secretName'],
  persistentVolumeClaim: ['claimName'],
  hostPath: ['path'],
  nfs: ['server', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  azureFile: ['secretName', 'shareName'],
  cinder: ['volumeID'],
  rbd: ['image'],
  flexVolume: ['driver'],
  gitRepo: ['repository'],
};

/** The volumes of a pod spec (Kubernetes pkg/apis/core/validation ValidateVolumes). Returns their names. */
export function validateVolumes(spec: JsonObject, path: string, faults: Faults): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, volume] of objectsOf(spec, 'volumes').entries()) {
    const field = `${path}.volumes[${index}]`;
    const name = textOf(volume, 'name');
    const before = faults.length;
    checkName(volume.name, `${field}.name`, dnsLabelProblems, faults);
    if (names.has(name) && faults.length === before) faults.push(duplicate(`${field}.name`, name));
    validateVolumeSource(volume, field, faults);
    if (faults.length === before) names.add(name);
  }
  return names;
}

/** Exactly one source, with what it needs. */
export function validateVolumeSource(volume: JsonObject, field: string, faults: Faults): void {
  const sources = Object.keys(volume).filter((key) => key !== 'name' && isJsonObject(volume[key]));
  for (const [index, source] of sources.sort(bySource).entries()) {
    if (index > 0) {
      faults.push(forbidden(`${field}.${source}`, 'may not specify more than 1 volume type'));
      continue;
    }
    const given = objectOf(volume, source);
    for (const key of NEEDED[source] ?? []) {
      if (textOf(given, key) === '') faults.push(required(`${field}.${source}.${key}`));
    }
    if (source === 'hostPath') checkBackSteps(textOf(given, 'path'), `${field}.hostPath.path`, faults);
  }
}

/** Kubernetes looks for sources in this order; the rest follows. */
const ORDER = ['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs'];

function bySource(a: string, b: string): number {
  const rank = (source: string) => (ORDER.includes(source) ? ORDER.indexOf(source) : ORDER.length);
  return rank(a) - rank(b);
}

/** The mounts of a container; each names a volume of the pod. */
export function validateMounts(
  container: JsonObject,
  path: string,
  volumes: ReadonlySet<string>,
  faults: Faults,
): void {
  const paths = new Set<string>();
  for (const [index, mount] of objectsOf(container, 'volumeMounts').entries()) {
    const field = `${path}.volumeMounts[${index}]`;
    const name = textOf(mount, 'name');
    if (name === '') faults.push(required(`${field}.name`));
    else if (!volumes.has(name)) faults.push(notFound(`${field}.name`, name));
    const mountPath = textOf(mount, 'mountPath');
    if (mountPath === '') faults.push(required(`${field}.mountPath`));
    else if (paths.has(mountPath)) faults.push(invalid(`${field}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
  }
}
