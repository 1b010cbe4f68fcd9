import { isJsonObject } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import type { CheckedField } from '../base/checked-field';
import { checkLabels, checkNodeSelector } from '../validation/selectors';
import { checkBackSteps } from '../validation/values';
import { validateContainers } from './validate-containers';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/**
 * A pod spec, in pods and templates (Kubernetes pkg/apis/core/validation ValidatePodSpec).
 *
 * @param claims names of claim templates, which mounts may name like volumes
 */
export function validatePodSpec(spec: CheckedField, claims: readonly string[] = []): void {
  validateContainers(spec, new Set([...claims, ...validateVolumes(spec.at('volumes'))]));
  spec.at('restartPolicy').oneOf(['Always', 'OnFailure', 'Never']);
  spec.at('dnsPolicy').oneOf(DNS_POLICIES);
  if (spec.at('dnsPolicy').text === 'None' && !spec.at('dnsConfig').isGiven) {
    spec.at('dnsConfig').required('must provide `dnsConfig` when `dnsPolicy` is None');
  }
  checkLabels(spec.at('nodeSelector'));
  spec.at('serviceAccountName').check(subdomainProblems);
  spec.at('hostname').check(dnsLabelProblems);
  const deadline = spec.at('activeDeadlineSeconds');
  if ((deadline.number ?? 1) < 1) deadline.invalid('must be between 1 and 2147483647, inclusive');
  for (const toleration of spec.at('tolerations').items) validateToleration(toleration);
  checkNodeSelector(spec.at('affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'));
}

function validateToleration(toleration: CheckedField): void {
  const operator = toleration.at('operator');
  const value = toleration.at('value').text;
  if (toleration.at('key').text === '' && operator.text !== 'Exists') {
    const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    operator.invalid(text, operator.text);
  }
  const effect = toleration.at('effect');
  if (toleration.at('tolerationSeconds').isGiven && effect.text !== 'NoExecute') {
    effect.invalid("effect must be 'NoExecute' when `tolerationSeconds` is set", effect.text);
  }
  operator.oneOf(['Equal', 'Exists']);
  if (operator.text === 'Exists' && value !== '') {
    operator.invalid("value must be empty when `operator` is 'Exists'", value);
  }
}

/** Gives back the names of valid volumes. */
function validateVolumes(volumes: CheckedField): ReadonlySet<string> {
  const names = new Set<string>();
  for (const volume of volumes.items) {
    const name = volume.at('name');
    const before = volume.faults.length;
    name.name(dnsLabelProblems);
    if (names.has(name.text) && volume.faults.length === before) name.duplicate();
    validateVolumeSource(volume);
    if (volume.faults.length === before) names.add(name.text);
  }
  return names;
}

/** The members of a source that must be there, in the order in which Kubernetes looks for sources; the rest follows. */
const NEEDED: { readonly [source: string]: readonly string[] } = {
  emptyDir: [],
  hostPath: ['path'],
  secret: ['secretName'],
  nfs: ['server', 'path'],
  persistentVolumeClaim: ['claimName'],
  configMap: ['name'],
};
const ORDER = Object.keys(NEEDED);

/** Exactly one source, with what it needs; members that are no source may be named. */
export function validateVolumeSource(volume: CheckedField, except: readonly string[] = []): void {
  const rank = (source: string) => (ORDER.includes(source) ? ORDER.indexOf(source) : ORDER.length);
  const sources = Object.keys(volume.object)
    .filter((key) => isJsonObject(volume.object[key]) && !except.includes(key))
    .sort((a, b) => rank(a) - rank(b));
  for (const [index, source] of sources.entries()) {
    if (index > 0) volume.at(source).forbidden('may not specify more than 1 volume type');
    else for (const key of NEEDED[source] ?? []) volume.at(source, key).name();
  }
  checkBackSteps(volume.at('hostPath', 'path'));
}
