import { arrayAt, isJsonObject, type JsonValue, jsonEqual, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { ClusterSession } from '../support/session';
import type { InstallationFinding } from './finding';

/** Whether a CRD exists, serves its version and has the schema of this program. */
export async function checkCrd({ api }: ClusterSession, expected: KubeObject): Promise<InstallationFinding[]> {
  const name = nameOf(expected);
  const place = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', name };
  const version = stringAt(expected, 'spec', 'versions', 0, 'name') ?? '';
  const crd = await api.get(place);
  // Plans run without a definition of ours; what it records is missing then.
  const kind = stringAt(expected, 'spec', 'group') === 'kudo.dev' ? 'errors' : 'warnings';
  if (crd === undefined) return [[kind, `CRD ${name} is not installed`]];
  if (!isServed(crd, version)) {
    return [[kind, `CRD ${name} does not serve ${version}. Run bravo init to update it.`]];
  }
  if (!jsonEqual(schemaOf(crd, version), schemaOf(expected, version))) {
    return [['warnings', `CRD ${name} has the schema of another version. Run bravo init to update it.`]];
  }
  return [['installed', `CRD ${name} is installed and serves ${version}`]];
}

function isServed(crd: unknown, name: string): boolean {
  const served = arrayAt(crd, 'spec', 'versions').some(
    (version) => isJsonObject(version) && version.name === name && version.served === true,
  );
  const established = arrayAt(crd, 'status', 'conditions').some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
  return served && established;
}

function schemaOf(crd: KubeObject, name: string): JsonValue {
  const versions = arrayAt(crd, 'spec', 'versions');
  const version = versions.find((each) => isJsonObject(each) && each.name === name);
  return withoutEmptyMembers(objectAt(version, 'schema'));
}

/** The API server drops empty members of a schema when it stores it. */
function withoutEmptyMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmptyMembers(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: JsonValue): boolean {
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
