import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { configKeyProblems } from '../validation/config-keys';

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const FIELDS = new Set(
  `metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName status.hostIP status.hostIPs
  status.podIP status.podIPs`.split(/\s+/),
);
const MAPS = ['metadata.annotations', 'metadata.labels'];

/** Environment variables of a container (Kubernetes pkg/apis/core/validation ValidateEnv). */
export function validateEnv(container: JsonObject, path: string, faults: Faults): void {
  for (const [index, variable] of objectsOf(container, 'env').entries()) {
    const field = `${path}.env[${index}]`;
    const name = textOf(variable, 'name');
    if (name === '') faults.push(required(`${field}.name`));
    else if (!/^[\x20-\x3c\x3e-\x7e]+$/.test(name)) {
      const text = "a valid environment variable name must consist only of printable ASCII characters other than '='";
      faults.push(invalid(`${field}.name`, name, text));
    }
    validateSource(variable, `${field}.valueFrom`, faults);
  }
  for (const [index, source] of objectsOf(container, 'envFrom').entries()) {
    const field = `${path}.envFrom[${index}]`;
    const references = ['configMapRef', 'secretRef'].filter((key) => isJsonObject(source[key]));
    if (references.length === 0) {
      faults.push(invalid(field, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (references.length > 1) {
      faults.push(invalid(field, '', 'may not have more than one field specified at a time'));
    }
    for (const key of references) {
      checkReference(textOf(objectOf(source, key), 'name'), `${field}.${key}.name`, subdomainProblems, faults);
    }
  }
}

function validateSource(variable: JsonObject, field: string, faults: Faults): void {
  const source = objectOf(variable, 'valueFrom');
  if (source === undefined) return;
  const given = SOURCES.filter((key) => isJsonObject(source[key]));
  if (given.length === 0) {
    const text =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    faults.push(invalid(field, '', text));
    return;
  }
  if (textOf(variable, 'value') !== '') {
    faults.push(invalid(field, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) {
    faults.push(invalid(field, '', 'may not have more than one field specified at a time'));
  }
  const path = textOf(objectOf(source, 'fieldRef'), 'fieldPath');
  const version = textOf(objectOf(source, 'fieldRef'), 'apiVersion');
  if (given.includes('fieldRef') && version !== '' && version !== 'v1') {
    const text = `error converting fieldPath: unsupported pod version: ${version}`;
    faults.push(invalid(`${field}.fieldRef.fieldPath`, path, text));
  } else if (given.includes('fieldRef')) validateFieldPath(path, `${field}.fieldRef.fieldPath`, faults);
  for (const key of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = objectOf(source, key);
    if (reference === undefined) continue;
    checkReference(textOf(reference, 'name'), `${field}.${key}.name`, subdomainProblems, faults);
    checkReference(textOf(reference, 'key'), `${field}.${key}.key`, configKeyProblems, faults);
  }
}

function checkReference(
  text: string,
  field: string,
  problemsOf: (text: string) => readonly string[],
  faults: Faults,
): void {
  if (text === '') faults.push(required(field));
  else for (const problem of problemsOf(text)) faults.push(invalid(field, text, problem));
}

function validateFieldPath(path: string, field: string, faults: Faults): void {
  if (path === '') {
    faults.push(required(field));
    return;
  }
  const subscript = MAPS.some((map) => path.startsWith(`${map}['`) && path.endsWith("']"));
  if (!FIELDS.has(path) && !subscript) {
    faults.push(invalid(field, path, `error converting fieldPath: field label not supported: ${path}`));
  }
}
