import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, invalid, notSupported, required } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf, checkOptionalName } from '../validation/numbers';
import { checkLabelSelector, checkLabels, checkNodeSelector } from '../validation/selectors';
import { validateContainers } from './validate-containers';
import { validateUsers } from './validate-users';
import { validateVolumes } from './validate-volumes';

/** A pod spec, in pods and templates (Kubernetes pkg/apis/core/validation ValidatePodSpec). */
export function validatePodSpec(spec: JsonObject, path: string, faults: Faults): void {
  const volumes = validateVolumes(spec, path, faults);
  validateContainers(spec, path, volumes, faults);
  checkOneOf(spec.restartPolicy, `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never'], faults);
  validateDns(spec, path, faults);
  checkLabels(spec.nodeSelector, `${path}.nodeSelector`, faults);
  checkOptionalName(spec.serviceAccountName, `${path}.serviceAccountName`, subdomainProblems, faults);
  checkOptionalName(spec.nodeName, `${path}.nodeName`, subdomainProblems, faults);
  checkOptionalName(spec.priorityClassName, `${path}.priorityClassName`, subdomainProblems, faults);
  checkOptionalName(spec.runtimeClassName, `${path}.runtimeClassName`, subdomainProblems, faults);
  checkOptionalName(spec.hostname, `${path}.hostname`, dnsLabelProblems, faults);
  checkOptionalName(spec.subdomain, `${path}.subdomain`, dnsLabelProblems, faults);
  const deadline = numberOf(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && deadline < 1) {
    faults.push(invalid(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'));
  }
  validateTolerations(spec, path, faults);
  validateAffinity(objectOf(spec, 'affinity'), `${path}.affinity`, faults);
  validateSpread(spec, path, faults);
  for (const [index, alias] of objectsOf(spec, 'hostAliases').entries()) {
    const ip = textOf(alias, 'ip');
    if (!isIp(ip)) faults.push(invalid(`${path}.hostAliases[${index}].ip`, ip, IP_TEXT));
    for (const host of textsOf(alias, 'hostnames')) {
      for (const problem of subdomainProblems(host))
        faults.push(invalid(`${path}.hostAliases.hostnames`, host, problem));
    }
  }
  validateUsers(objectOf(spec, 'securityContext'), `${path}.securityContext`, faults);
}

export const IP_TEXT = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function validateDns(spec: JsonObject, path: string, faults: Faults): void {
  checkOneOf(spec.dnsPolicy, `${path}.dnsPolicy`, DNS_POLICIES, faults);
  if (spec.dnsPolicy !== 'None') return;
  const config = objectOf(spec, 'dnsConfig');
  if (config === undefined) {
    faults.push(required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  } else if (textsOf(config, 'nameservers').length === 0) {
    faults.push(
      required(`${path}.dnsConfig.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
    );
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateTolerations(spec: JsonObject, path: string, faults: Faults): void {
  for (const [index, toleration] of objectsOf(spec, 'tolerations').entries()) {
    const field = `${path}.tolerations[${index}]`;
    const operator = textOf(toleration, 'operator');
    const value = textOf(toleration, 'value');
    const effect = textOf(toleration, 'effect');
    const key = textOf(toleration, 'key');
    if (key !== '') checkKey(key, `${field}.key`, faults);
    if (key === '' && operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      faults.push(invalid(`${field}.operator`, operator, text));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const text = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      faults.push(invalid(`${field}.effect`, effect, text));
    }
    if (operator === 'Exists') {
      if (value !== '') {
        faults.push(invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else if (operator !== '' && operator !== 'Equal') {
      faults.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']));
    }
    if (effect !== '' && !EFFECTS.includes(effect)) faults.push(notSupported(`${field}.effect`, effect, EFFECTS));
  }
}

function validateAffinity(affinity: JsonObject | undefined, path: string, faults: Faults): void {
  const node = objectOf(affinity, 'nodeAffinity');
  const requiredKey = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferredKey = 'preferredDuringSchedulingIgnoredDuringExecution';
  checkNodeSelector(objectOf(node, requiredKey), `${path}.nodeAffinity.${requiredKey}`, faults);
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const affinities = objectOf(affinity, name);
    for (const [index, term] of objectsOf(affinities, requiredKey).entries()) {
      validateAffinityTerm(term, `${path}.${name}.${requiredKey}[${index}]`, faults);
    }
    for (const [index, weighted] of objectsOf(affinities, preferredKey).entries()) {
      const field = `${path}.${name}.${preferredKey}[${index}]`;
      const weight = numberOf(weighted, 'weight') ?? 0;
      if (weight < 1 || weight > 100) faults.push(invalid(`${field}.weight`, weight, 'must be in the range 1-100'));
      validateAffinityTerm(objectOf(weighted, 'podAffinityTerm') ?? {}, `${field}.podAffinityTerm`, faults);
    }
  }
}

function validateAffinityTerm(term: JsonObject, path: string, faults: Faults): void {
  checkLabelSelector(objectOf(term, 'labelSelector'), `${path}.labelSelector`, faults);
  const key = textOf(term, 'topologyKey');
  if (key === '') faults.push(required(`${path}.topologyKey`, 'can not be empty'));
  checkKey(key, `${path}.topologyKey`, faults);
}

function checkKey(key: string, field: string, faults: Faults): void {
  for (const problem of qualifiedNameProblems(key)) faults.push(invalid(field, key, problem));
}

function validateSpread(spec: JsonObject, path: string, faults: Faults): void {
  const constraints = objectsOf(spec, 'topologySpreadConstraints');
  const pairOf = (constraint: JsonObject) =>
    `{${textOf(constraint, 'topologyKey')}, ${textOf(constraint, 'whenUnsatisfiable')}}`;
  for (const [index, constraint] of constraints.entries()) {
    const field = `${path}.topologySpreadConstraints[${index}]`;
    const skew = numberOf(constraint, 'maxSkew') ?? 0;
    if (skew <= 0) faults.push(invalid(`${field}.maxSkew`, skew, 'must be greater than zero'));
    if (textOf(constraint, 'topologyKey') === '') faults.push(required(`${field}.topologyKey`, 'can not be empty'));
    checkOneOf(constraint.whenUnsatisfiable, `${field}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway'], faults);
    const pair = pairOf(constraint);
    if (constraints.slice(index + 1).some((later) => pairOf(later) === pair)) {
      faults.push(duplicate(`${field}.{topologyKey, whenUnsatisfiable}`, pair));
    }
    checkLabelSelector(objectOf(constraint, 'labelSelector'), `${field}.labelSelector`, faults);
  }
}
