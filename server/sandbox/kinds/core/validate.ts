import { type JsonObject, jsonEqual, parseJsonObject } from '@/lib/json/json';
import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { tooLong } from '@/lib/schema/field-error';
import type { CheckedField } from '../base/checked-field';
import { configKeyProblems } from '../validation/values';

const MAX_BYTES = 1024 * 1024;

/** Judges the keys of `data` or `binaryData`; the size of the values in bytes. */
function checkKeys(data: CheckedField, encoding: 'utf8' | 'base64'): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(data.object)) {
    for (const problem of configKeyProblems(key)) data.key(key).invalid(problem, key);
    bytes += Buffer.byteLength(String(value), encoding);
  }
  return bytes;
}

export function validateConfigMap(object: CheckedField): void {
  const [data, binary] = [object.at('data'), object.at('binaryData')];
  const total = checkKeys(data, 'utf8') + checkKeys(binary, 'base64');
  for (const key of Object.keys(binary.object)) {
    if (data.key(key).isGiven) data.key(key).invalid('duplicate of key present in binaryData', key);
  }
  if (total > MAX_BYTES) object.faults.push(tooLong('[]', MAX_BYTES));
}

const LEVELS = ['privileged', 'baseline', 'restricted'];

/** Pod Security's labels name one of its levels. */
export function validateNamespace(object: CheckedField): void {
  const labels = object.at('metadata', 'labels');
  for (const label of ['enforce', 'audit', 'warn'].map((mode) => labels.key(`pod-security.kubernetes.io/${mode}`))) {
    label.check((level) => (LEVELS.includes(level) ? [] : [`must be one of ${LEVELS.join(', ')}`]));
  }
}

/** A namespace terminates by being deleted only. */
export function validateNamespaceStatus(object: CheckedField): void {
  const phase = object.at('status', 'phase').text;
  const isDeleted = object.at('metadata', 'deletionTimestamp').isGiven;
  if (isDeleted ? phase === 'Terminating' : phase === 'Active' || phase === '') return;
  const [only, state] = isDeleted ? ['Terminating', 'is not empty'] : ['Active', 'is empty'];
  object.at('status', 'Phase').invalid(`may only be '${only}' if \`deletionTimestamp\` ${state}`, phase);
}

/** The keys that a typed Secret must have. */
const TYPED: { readonly [type: string]: readonly string[] } = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

export function validateSecret(object: CheckedField): void {
  const data = object.at('data');
  if (checkKeys(data, 'base64') > MAX_BYTES) object.faults.push(tooLong('data', MAX_BYTES));
  const type = object.at('type').text;
  for (const field of (TYPED[type] ?? []).map((key) => data.key(key))) {
    if (!field.isGiven) field.required();
    else if (type.startsWith('kubernetes.io/dockerc') && parseJsonObject(atob(field.text)) === undefined) {
      field.invalid('unexpected end of JSON input', '<secret contents redacted>');
    }
  }
  const login = [data.key('username'), data.key('password')];
  if (type === 'kubernetes.io/basic-auth' && !login.some((each) => each.isGiven)) {
    for (const field of login) field.required();
  }
  if (type === 'kubernetes.io/service-account-token') {
    object.at('metadata', 'annotations').key('kubernetes.io/service-account.name').name();
  }
}

/** What `immutable: true` holds fast, in ConfigMaps and Secrets. */
export function validateImmutable(object: CheckedField, old: JsonObject): void {
  if (old.immutable !== true) return;
  const text = 'field is immutable when `immutable` is set';
  if (object.at('immutable').value !== true) object.at('immutable').forbidden(text);
  for (const key of ['data', 'binaryData']) {
    if (!jsonEqual(object.at(key).object, old[key] ?? {})) object.at(key).forbidden(text);
  }
}

export function validateSecretUpdate(object: CheckedField, old: JsonObject): void {
  checkFixed(object, old, 'type');
  validateImmutable(object, old);
}

/** Members that an update leaves as they were. */
export function checkFixed(object: CheckedField, old: JsonObject, ...keys: readonly string[]): void {
  for (const key of keys) if (!jsonEqual(object.at(key).value, old[key])) object.at(key).invalid('field is immutable');
}

export function validateLease(object: CheckedField): void {
  const duration = object.at('spec', 'leaseDurationSeconds');
  if ((duration.number ?? 1) <= 0) duration.invalid('must be greater than 0');
  object.at('spec').notNegative('leaseTransitions');
}

/**
 * New events (pkg/apis/core/validation ValidateEventCreate); `eventTime` marks those of the newer form. Events about
 * objects without a namespace live in `default`.
 */
export function validateEvent(object: CheckedField): void {
  const isCore = object.at('apiVersion').text === 'v1';
  const owner = object.at(isCore ? 'involvedObject' : 'regarding', 'namespace').text;
  if ((owner || 'default') !== object.at('metadata', 'namespace').text) {
    object.at('involvedObject.namespace').invalid('does not match event.namespace', owner);
  }
  if (!object.at('eventTime').isGiven) {
    if (isCore) return;
    object.at('eventTime').required();
  }
  const controller = object.at(isCore ? 'reportingComponent' : 'reportingController');
  for (const problem of qualifiedNameProblems(controller.text)) controller.invalid(problem, controller.text);
  for (const field of [controller, ...['reportingInstance', 'action', 'reason'].map((key) => object.at(key))]) {
    field.name((text) => (text.length > 128 ? ['can have at most 128 characters'] : []));
  }
  const type = object.at('type').text;
  if (!isCore && !['Normal', 'Warning'].includes(type)) object.at('type').invalid(`has invalid value: ${type}`, '');
}

const MAX_USER_PRIORITY = 1_000_000_000;

export function validatePriorityClass(object: CheckedField): void {
  const name = object.at('metadata', 'name');
  if (name.text.startsWith('system-')) {
    if (['system-node-critical', 'system-cluster-critical'].includes(name.text)) return;
    const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${name.text} is not a known system priority class`;
    name.forbidden(text);
  } else if ((object.at('value').number ?? 0) > MAX_USER_PRIORITY) {
    object.at('value').forbidden(`maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`);
  }
  object.at('preemptionPolicy').oneOf(['PreemptLowerPriority', 'Never']);
}

export function validatePriorityClassUpdate(object: CheckedField, old: JsonObject): void {
  if (object.at('value').value !== old.value) object.at('value').forbidden('may not be changed in an update.');
  checkFixed(object, old, 'preemptionPolicy');
}
