import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { forbidden, invalid, notSupported, required, type SchemaFieldError } from '@/lib/schema/field-error';
import { numberOf, objectOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';

import { configKeyProblems } from '../validation/config-keys';
import { checkNotNegative } from '../validation/numbers';

const MAX_BYTES = 1024 * 1024;
function checkKeys(owner: JsonObject, member: string, faults: Faults): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(objectOf(owner, member) ?? {})) {
    for (const problem of configKeyProblems(key)) faults.push(invalid(`${member}[${key}]`, key, problem));
    bytes += sizeOf(String(value), member);
  }
  return bytes;
}

function sizeOf(value: string, member: string): number {
  const isBase64 = member === 'binaryData' || member === 'secret';
  return Buffer.byteLength(value, isBase64 ? 'base64' : 'utf8');
}

export function validateConfigMap(object: JsonObject, faults: Faults): void {
  const data = objectOf(object, 'data') ?? {};
  const total = checkKeys(object, 'data', faults) + checkKeys(object, 'binaryData', faults);
  for (const key of Object.keys(objectOf(object, 'binaryData') ?? {})) {
    if (Object.hasOwn(data, key)) {
      faults.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
  }
  if (total > MAX_BYTES) faults.push(tooLongData('[]'));
}

function tooLongData(field: string): SchemaFieldError {
  return { field, type: 'FieldValueTooLong', message: `Too long: may not be more than ${MAX_BYTES} bytes` };
}

const LEVEL_LABELS = ['enforce', 'audit', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}`);
const LEVELS = ['privileged', 'baseline', 'restricted'];

/** Pod Security's labels name one of its levels. */
export function validateNamespace(object: JsonObject, faults: Faults): void {
  const labels = objectOf(objectOf(object, 'metadata'), 'labels') ?? {};
  for (const label of LEVEL_LABELS) {
    const level = labels[label];
    if (typeof level !== 'string' || LEVELS.includes(level)) continue;
    faults.push(invalid(`metadata.labels[${label}]`, level, `must be one of ${LEVELS.join(', ')}`));
  }
}

/** A namespace terminates by being deleted only. */
export function validateNamespaceStatus(object: JsonObject, _old: JsonObject, faults: Faults): void {
  const phase = textOf(objectOf(object, 'status'), 'phase');
  const isDeleted = objectOf(object, 'metadata')?.deletionTimestamp !== undefined;
  if (isDeleted ? phase === 'Terminating' : phase === 'Active' || phase === '') return;
  const [only, state] = isDeleted ? ['Terminating', 'is not empty'] : ['Active', 'is empty'];
  faults.push(invalid('status.Phase', phase, `may only be '${only}' if \`deletionTimestamp\` ${state}`));
}

/** The keys that a typed Secret must have. */
const TYPED: { readonly [type: string]: readonly string[] } = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};
const REDACTED = '<secret contents redacted>';

export function validateSecret(object: JsonObject, faults: Faults): void {
  const data = objectOf(object, 'data') ?? {};
  let total = 0;
  for (const [key, value] of Object.entries(data)) {
    for (const problem of configKeyProblems(key)) faults.push(invalid(`data[${key}]`, key, problem));
    total += sizeOf(String(value), 'secret');
  }
  if (total > MAX_BYTES) faults.push(tooLongData('data'));
  const type = textOf(object, 'type');
  for (const key of TYPED[type] ?? []) {
    if (!Object.hasOwn(data, key)) faults.push(required(`data[${key}]`));
    else if (type.startsWith('kubernetes.io/dockerc')) checkJson(data[key], `data[${key}]`, faults);
  }
  if (type === 'kubernetes.io/basic-auth' && !Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
    faults.push(required('data[username]'), required('data[password]'));
  }
  if (type === 'kubernetes.io/service-account-token') {
    const annotations = objectOf(objectOf(object, 'metadata'), 'annotations');
    const key = 'kubernetes.io/service-account.name';
    if (textOf(annotations, key) === '') faults.push(required(`metadata.annotations[${key}]`));
  }
}

function checkJson(value: unknown, field: string, faults: Faults): void {
  const text = Buffer.from(String(value), 'base64').toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    faults.push(invalid(field, REDACTED, jsonFault(text)));
  }
}

/** The words of Go's encoding/json for a text that is no JSON, for its first character. */
function jsonFault(text: string): string {
  const trimmed = text.trimStart();
  const first = trimmed.charAt(0);
  if (first === '') return 'unexpected end of JSON input';
  for (const literal of ['null', 'true', 'false']) {
    if (first !== literal.charAt(0)) continue;
    for (let at = 1; at < literal.length; at++) {
      const found = trimmed.charAt(at);
      if (found === '') return 'unexpected end of JSON input';
      if (found !== literal.charAt(at)) {
        return `invalid character '${found}' in literal ${literal} (expecting '${literal.charAt(at)}')`;
      }
    }
  }
  return '{["-0123456789'.includes(first)
    ? 'unexpected end of JSON input'
    : `invalid character '${first}' looking for beginning of value`;
}

/** What `immutable: true` holds fast, in ConfigMaps and Secrets. */
export function validateImmutable(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (old.immutable !== true) return;
  const text = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) faults.push(forbidden('immutable', text));
  for (const key of ['data', 'binaryData']) {
    if (!jsonEqual(object[key] ?? {}, old[key] ?? {})) faults.push(forbidden(key, text));
  }
}

export function validateSecretUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  if (object.type !== old.type) faults.push(invalid('type', object.type ?? '', 'field is immutable'));
  validateImmutable(object, old, faults);
}

export function validateLease(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const duration = numberOf(spec, 'leaseDurationSeconds');
  if (duration !== undefined && duration <= 0) {
    faults.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  checkNotNegative(spec, 'spec', ['leaseTransitions'], faults);
}

const EVENT_TEXTS = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
] as const;

/**
 * New events (pkg/apis/core/validation ValidateEventCreate); `eventTime` marks those of the newer form. Events about
 * objects without a namespace live in `default`.
 */
export function validateEvent(object: JsonObject, faults: Faults): void {
  const namespace = textOf(objectOf(object, 'metadata'), 'namespace');
  const isCore = object.apiVersion === 'v1';
  const owner = textOf(objectOf(object, isCore ? 'involvedObject' : 'regarding'), 'namespace');
  if (owner === '' ? namespace !== 'default' : owner !== namespace) {
    faults.push(invalid('involvedObject.namespace', owner, 'does not match event.namespace'));
  }
  if (isCore && typeof object.eventTime !== 'string') return;
  if (!isCore && typeof object.eventTime !== 'string') faults.push(required('eventTime'));
  const field = isCore ? 'reportingComponent' : 'reportingController';
  const controller = textOf(object, field);
  if (controller === '') faults.push(required(field));
  for (const problem of qualifiedNameProblems(controller)) faults.push(invalid(field, controller, problem));
  for (const [key, most] of EVENT_TEXTS) {
    const text = textOf(object, key);
    if (text === '') faults.push(required(key));
    if (text.length > most) faults.push(invalid(key, text, `can have at most ${most} characters`));
  }
  const type = textOf(object, 'type');
  if (!isCore && type !== 'Normal' && type !== 'Warning')
    faults.push(invalid('type', '', `has invalid value: ${type}`));
}

const SYSTEM_CLASSES = ['system-node-critical', 'system-cluster-critical'];
const MAX_USER_PRIORITY = 1_000_000_000;

export function validatePriorityClass(object: JsonObject, faults: Faults): void {
  const name = textOf(objectOf(object, 'metadata'), 'name');
  const value = numberOf(object, 'value') ?? 0;
  if (name.startsWith('system-')) {
    if (!SYSTEM_CLASSES.includes(name)) {
      const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
      faults.push(forbidden('metadata.name', text));
    }
  } else if (value > MAX_USER_PRIORITY) {
    const text = `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`;
    faults.push(forbidden('value', text));
  }
  const policy = textOf(object, 'preemptionPolicy');
  const policies = ['PreemptLowerPriority', 'Never'];
  if (!policies.includes(policy)) faults.push(notSupported('preemptionPolicy', policy, policies));
}

export function validatePriorityClassUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  if ((object.value ?? 0) !== (old.value ?? 0)) faults.push(forbidden('value', 'may not be changed in an update.'));
  if (object.preemptionPolicy !== old.preemptionPolicy) {
    faults.push(invalid('preemptionPolicy', object.preemptionPolicy ?? '', 'field is immutable'));
  }
}

export function checkClassName(object: JsonObject, key: string, path: string, faults: Faults): void {
  const name = textOf(object, key);
  if (name !== '') for (const problem of subdomainProblems(name)) faults.push(invalid(path, name, problem));
}
