import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import { numberOf, objectOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkOneOf, checkOptionalName } from '../validation/numbers';
import { checkLabels } from '../validation/selectors';
import { validateAffinity } from './validate-affinity';
import { validateContainers } from './validate-containers';
import { validateTolerations } from './validate-tolerations';
import { validateVolumes } from './validate-volumes';

/** A pod spec, in pods and templates (Kubernetes pkg/apis/core/validation ValidatePodSpec). */
export function validatePodSpec(spec: JsonObject, path: string, faults: Faults): void {
  const volumes = validateVolumes(spec, path, faults);
  validateContainers(spec, path, volumes, faults);
  checkOneOf(spec.restartPolicy, `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never'], faults);
  validateDns(spec, path, faults);
  checkLabels(spec.nodeSelector, `${path}.nodeSelector`, faults);
  checkOptionalName(spec.serviceAccountName, `${path}.serviceAccountName`, subdomainProblems, faults);
  checkOptionalName(spec.hostname, `${path}.hostname`, dnsLabelProblems, faults);
  const deadline = numberOf(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && deadline < 1) {
    faults.push(invalid(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'));
  }
  validateTolerations(spec, path, faults);
  validateAffinity(objectOf(spec, 'affinity'), `${path}.affinity`, faults);
}

export const IP_TEXT = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

function validateDns(spec: JsonObject, path: string, faults: Faults): void {
  checkOneOf(spec.dnsPolicy, `${path}.dnsPolicy`, DNS_POLICIES, faults);
  if (spec.dnsPolicy !== 'None') return;
  const config = objectOf(spec, 'dnsConfig');
  if (config === undefined) {
    faults.push(required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  }
}
