import type { JsonObject } from '@/lib/json/json';
import { invalid, notSupported, required } from '@/lib/schema/field-error';
import { numberOf, objectOf, objectsOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkBackSteps } from './validate-paths';
import { validateResourceField } from './validate-resource-field';

const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';
const MAX_MODE = 0o777;
const MIN_SECONDS = 600;
const FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/**
 * What volumes of Secrets, ConfigMaps, fields of the pod, and of all together write as files (Kubernetes
 * pkg/apis/core/validation validateSecretVolumeSource, validateProjectedVolumeSource …).
 */
export function validateVolumeFiles(source: string, given: JsonObject | undefined, path: string, faults: Faults): void {
  if (given === undefined || !['secret', 'configMap', 'downwardAPI', 'projected'].includes(source)) return;
  checkMode(given, 'defaultMode', path, faults);
  if (source === 'downwardAPI') checkFields(given, path, faults);
  else if (source === 'projected') checkProjected(given, path, faults);
  else checkItems(given, path, faults);
}

function checkMode(owner: JsonObject, key: string, path: string, faults: Faults): void {
  const mode = numberOf(owner, key);
  if (mode !== undefined && (mode < 0 || mode > MAX_MODE)) faults.push(invalid(`${path}.${key}`, mode, MODE));
}

function checkItems(source: JsonObject, path: string, faults: Faults): void {
  for (const [index, item] of objectsOf(source, 'items').entries()) {
    const field = `${path}.items[${index}]`;
    if (textOf(item, 'key') === '') faults.push(required(`${field}.key`));
    checkPath(item, field, faults);
    checkMode(item, 'mode', field, faults);
  }
}

/** Fields are told without the number of their item, as Kubernetes does. */
function checkFields(source: JsonObject, path: string, faults: Faults): void {
  for (const item of objectsOf(source, 'items')) {
    checkPath(item, path, faults);
    const field = objectOf(item, 'fieldRef');
    const resource = objectOf(item, 'resourceFieldRef');
    if (field !== undefined) {
      checkField(textOf(field, 'fieldPath'), `${path}.fieldRef.fieldPath`, faults);
      if (resource !== undefined) {
        const text = 'fieldRef and resourceFieldRef can not be specified simultaneously';
        faults.push(invalid(path, 'resource', text));
      }
    } else if (resource === undefined) {
      faults.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
    } else if (textOf(resource, 'containerName') === '') {
      faults.push(required(`${path}.resourceFieldRef.containerName`));
    } else validateResourceField(resource, `${path}.resourceFieldRef`, faults);
    checkMode(item, 'mode', path, faults);
  }
}

function checkField(field: string, path: string, faults: Faults): void {
  if (field === '') faults.push(required(path));
  else if (/^metadata\.(annotations|labels)\['.*'\]$/.test(field) || FIELDS.includes(field)) return;
  else if (/^(spec|status|metadata)\./.test(field)) faults.push(notSupported(path, field, FIELDS));
  else faults.push(invalid(path, field, `error converting fieldPath: field label not supported: ${field}`));
}

function checkProjected(projected: JsonObject, path: string, faults: Faults): void {
  const taken = new Set<string>();
  const take = (owner: JsonObject, told: string) => {
    const file = textOf(owner, 'path');
    if (file !== '' && taken.has(file)) faults.push(invalid(path, told, 'conflicting duplicate paths'));
    taken.add(file);
  };
  for (const [index, source] of objectsOf(projected, 'sources').entries()) {
    const field = `${path}.sources[${index}]`;
    for (const kind of ['secret', 'configMap'] as const) {
      const given = objectOf(source, kind);
      if (given === undefined) continue;
      if (textOf(given, 'name') === '') faults.push(required(`${field}.${kind}.name`));
      checkItems(given, `${field}.${kind}`, faults);
      for (const item of objectsOf(given, 'items')) take(item, textOf(given, 'name'));
    }
    const fields = objectOf(source, 'downwardAPI');
    if (fields !== undefined) {
      checkFields(fields, `${field}.downwardAPI`, faults);
      for (const item of objectsOf(fields, 'items')) take(item, textOf(item, 'path'));
    }
    const token = objectOf(source, 'serviceAccountToken');
    if (token !== undefined) checkToken(token, `${field}.serviceAccountToken`, faults);
  }
}

function checkToken(token: JsonObject, path: string, faults: Faults): void {
  const seconds = numberOf(token, 'expirationSeconds');
  if (seconds !== undefined && seconds < MIN_SECONDS) {
    faults.push(invalid(`${path}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'));
  }
  checkPath(token, path, faults);
}

/** A path below the volume (validateLocalNonReservedPath). */
function checkPath(owner: JsonObject, path: string, faults: Faults): void {
  const file = textOf(owner, 'path');
  const field = `${path}.path`;
  if (file === '') faults.push(required(field));
  if (file.startsWith('/')) faults.push(invalid(field, file, 'must be a relative path'));
  checkBackSteps(file, field, faults);
  if (/^\.\.[^/]/.test(file)) faults.push(invalid(field, file, "must not start with '..'"));
}
