import { arrayAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { compareVersions } from '@/lib/kudo/versions';
import { CRD_VERSION_ANNOTATION, OWN_KIND_LABEL } from './names';

/**
 * What an install does with a CRD. `keep`: the existing one is as new, or newer. `refuse`: `message` says why in one sentence, and what helps.
 */
export type CrdChange =
  | { readonly do: 'create' | 'update' | 'keep' }
  | { readonly do: 'refuse'; readonly message: string };

/** @param live the CRD of that name; `adopt`: one that no operator of Bravo brought may be replaced */
export function crdChange(
  live: KubeObject | undefined,
  wanted: KubeObject,
  { adopt }: { readonly adopt: boolean },
): CrdChange {
  if (live === undefined) return { do: 'create' };
  const name = nameOf(wanted);
  const operator = wanted.metadata.labels?.[OWN_KIND_LABEL] ?? '';
  const owner = live.metadata.labels?.[OWN_KIND_LABEL];
  if (owner !== undefined && owner !== operator) {
    const message = `CRD ${name} belongs to operator ${owner}, so operator ${operator} cannot bring it. Remove that operator and its CRD first, or install without it.`;
    return { do: 'refuse', message };
  }
  if (owner === undefined && !adopt) {
    const message = `CRD ${name} exists and was not made by Bravo: another controller may act on its resources. Stop that one and install with --adopt-crd, or install in another cluster.`;
    return { do: 'refuse', message };
  }
  const lost = lostBy(live, wanted);
  const installed = live.metadata.annotations?.[CRD_VERSION_ANNOTATION] ?? '';
  const version = wanted.metadata.annotations?.[CRD_VERSION_ANNOTATION] ?? '';
  if (owner !== undefined && installed !== version && compareVersions(installed, version) > 0) return { do: 'keep' };
  if (lost !== undefined) return { do: 'refuse', message: `CRD ${name} cannot be updated: ${lost}` };
  return { do: isSame(live, wanted) ? 'keep' : 'update' };
}

/** What stored resources would lose, as the rest of a sentence; undefined when nothing is lost. */
function lostBy(live: KubeObject, wanted: KubeObject): string | undefined {
  const scope = stringAt(live.spec, 'scope') ?? 'Namespaced';
  if (scope !== 'Namespaced')
    return `its scope is ${scope}, and kinds of operators are Namespaced. Give the kind another group or name.`;
  const versions = new Map(versionsOf(wanted).map((each) => [stringAt(each, 'name') ?? '', each]));
  for (const each of arrayAt(live, 'status', 'storedVersions')) {
    if (typeof each === 'string' && !versions.has(each)) {
      return `objects are stored in version ${each}, which the package does not have. Keep the version in api: with served: false.`;
    }
  }
  for (const before of versionsOf(live)) {
    const version = stringAt(before, 'name') ?? '';
    const after = versions.get(version);
    const isServed = before.served === true;
    if (after === undefined) {
      if (isServed) return `version ${version} is served, and the package does not have it. Keep it in api:.`;
      continue;
    }
    const field = lostField(schemaOf(before), schemaOf(after), '');
    if (field !== undefined) {
      return `field ${field} of version ${version} would be lost from stored objects. Keep the field in the schema, or add a version.`;
    }
  }
  return undefined;
}

/** The path of the first field of `before` that `after` does not keep; the status is the controller's own and does not count. */
function lostField(before: JsonObject, after: JsonObject, path: string): string | undefined {
  if (path === '.status' || path === '.metadata') return undefined;
  if (after['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (typeof before.type === 'string' && typeof after.type === 'string' && before.type !== after.type) {
    return `${path === '' ? '.' : path} (${before.type}, not ${after.type})`;
  }
  for (const { name, schema, next } of membersOf(before, after)) {
    if (!isJsonObject(next)) return `${path}${name}`;
    const lost = lostField(schema, next, `${path}${name}`);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

interface Member {
  /** As it is added to the path. */
  readonly name: string;
  readonly schema: JsonObject;
  /** The schema of the same member afterwards. */
  readonly next: JsonValue | undefined;
}

function membersOf(before: JsonObject, after: JsonObject): Member[] {
  const kept = objectAt(after, 'properties');
  const properties = Object.entries(objectAt(before, 'properties')).map(([name, schema]) => ({
    name: `.${name}`,
    schema: isJsonObject(schema) ? schema : {},
    next: kept[name] ?? after.additionalProperties,
  }));
  const inner = (['items', 'additionalProperties'] as const).flatMap((key) => {
    const schema = before[key];
    return isJsonObject(schema) ? [{ name: '[]', schema, next: after[key] }] : [];
  });
  return [...properties, ...inner];
}

/** True when an update would change nothing. */
function isSame(live: KubeObject, wanted: KubeObject): boolean {
  const marks = ({ metadata }: KubeObject) => [
    metadata.labels?.[OWN_KIND_LABEL] ?? '',
    metadata.annotations?.[CRD_VERSION_ANNOTATION] ?? '',
  ];
  return (
    jsonEqual(marks(live), marks(wanted)) &&
    jsonEqual(versionsOf(live), versionsOf(wanted)) &&
    jsonEqual(objectAt(live.spec, 'names'), objectAt(wanted.spec, 'names'))
  );
}

function versionsOf(crd: KubeObject): JsonObject[] {
  return arrayAt(crd.spec, 'versions').filter(isJsonObject);
}

function schemaOf(version: JsonObject): JsonObject {
  return objectAt(version, 'schema', 'openAPIV3Schema');
}
