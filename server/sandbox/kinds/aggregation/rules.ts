import { rfc3339 } from '@/lib/clock/rfc3339';
import type { JsonObject } from '@/lib/json/json';
import { dnsLabel1035Problems, subdomainProblems } from '@/lib/kube/label-syntax';
import { fill, objectOf, textOf } from '../base/access';
import type { CheckedField } from '../base/checked-field';
import { type KindRules, WHOLE_METADATA } from '../base/kind-rules';

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1_000;

/** The condition of an APIService that this API server answers itself. */
export function localCondition(nowMs: number): JsonObject {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: rfc3339(nowMs),
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function checkPriority(field: CheckedField, most: number): void {
  const priority = field.number ?? 0;
  if (priority <= 0 || priority > most) field.invalid(`must be positive and less than ${most}`, priority);
}

/** An APIService without a Service has nothing to verify. */
function validateLocal(spec: CheckedField): void {
  const bundle = spec.at('caBundle').text;
  if (bundle !== '') {
    const sizeBytes = Buffer.from(bundle, 'base64').length;
    spec.at('caBundle').invalid('local APIServices may not have a caBundle', `${sizeBytes} bytes`);
  }
  const skip = spec.at('insecureSkipTLSVerify');
  if (skip.value === true) skip.invalid('local APIServices may not have insecureSkipTLSVerify');
}

/** kube-aggregator pkg/apis/apiregistration/validation ValidateAPIService. */
function validateApiService(object: CheckedField): void {
  const spec = object.at('spec');
  const [group, version] = [spec.at('group').text, spec.at('version').text];
  const name = object.at('metadata', 'name');
  const wanted = `${version}.${group}`;
  if (name.text !== wanted) name.invalid(`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`);
  if (group === '' && version !== 'v1') {
    spec.at('group').required('only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') spec.at('group').check(subdomainProblems);
  for (const problem of dnsLabel1035Problems(version)) spec.at('version').invalid(problem, version);
  checkPriority(spec.at('groupPriorityMinimum'), MAX_GROUP_PRIORITY);
  checkPriority(spec.at('versionPriority'), MAX_VERSION_PRIORITY);
  const service = spec.at('service');
  if (service.isGiven) validateServed(spec, service);
  else validateLocal(spec);
}

function validateServed(spec: CheckedField, service: CheckedField): void {
  service.at('namespace').name();
  service.at('name').name();
  const port = service.at('port').number ?? 0;
  if (port < 1 || port > 65_535) {
    service.at('port').invalid('port is not valid: must be between 1 and 65535, inclusive', port);
  }
  const skip = spec.at('insecureSkipTLSVerify');
  if (skip.value === true && spec.at('caBundle').text !== '') skip.invalid('may not be true if caBundle is present');
}

/** The rules of APIServices; conditions of those with a Service are set by the availability checks. */
export const apiServiceRules: { readonly [kind: string]: KindRules } = {
  'apiregistration.k8s.io/APIService': {
    keptByStatus: WHOLE_METADATA,
    defaults: (object) => fill(objectOf(objectOf(object, 'spec'), 'service'), { port: 443 }),
    prepareCreate(object, { nowMs }) {
      const isLocal = objectOf(objectOf(object, 'spec'), 'service') === undefined;
      object.status = isLocal ? { conditions: [localCondition(nowMs)] } : {};
    },
    validate: validateApiService,
    validateStatus(object) {
      for (const condition of object.at('status', 'conditions').items) {
        condition.at('status').oneOf(['True', 'False', 'Unknown']);
        if (textOf(condition.object, 'type') === '') condition.at('type').required();
      }
    },
  },
};
