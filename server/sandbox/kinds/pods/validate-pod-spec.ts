import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, invalid, required } from '@/lib/schema/field-error';
import { isIp } from '@/lib/schema/formats';
import { numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf, checkOptionalName } from '../validation/numbers';
import { checkLabelSelector, checkLabels } from '../validation/selectors';
import { validateAffinity } from './validate-affinity';
import { validateContainers } from './validate-containers';
import { validatePodDetails } from './validate-pod-details';
import { validateTolerations } from './validate-tolerations';
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
  validatePodDetails(spec, path, faults);
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
