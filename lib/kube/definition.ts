import { arrayAt, getAt, isJsonObject, type JsonValue, numberAt, objectAt, stringAt } from '@/lib/json/json';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { schemaResolver } from '@/lib/schema/resolve-schema';
import { conditionsOf } from './conditions';
import { compareApiVersions } from './kinds';
import type { KubeObject } from './object';

/** A CustomResourceDefinition in the parts that a person asks for (apiextensions.k8s.io/v1). */
export interface DefinitionView {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  /** The version whose lists and forms are linked: the best that is served. */
  readonly preferred: string | undefined;
  /** The best first. */
  readonly versions: readonly DefinitionVersion[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStored: boolean;
  /** Some objects may still be stored in it (status.storedVersions). */
  readonly wasStored: boolean;
  /** What clients are warned of. */
  readonly deprecation: string | undefined;
  readonly subresources: readonly string[];
  readonly columns: readonly DefinitionColumn[];
  readonly schema: JsonSchema | undefined;
}

export interface DefinitionColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description: string;
  /** Shown by `kubectl get -o wide` only. */
  readonly isWide: boolean;
}

/** Reads a definition. Parts that are missing are empty. */
export function definitionView(definition: KubeObject): DefinitionView {
  const stored = arrayAt(definition, 'status', 'storedVersions');
  const kind = stringAt(definition, 'spec', 'names', 'kind') ?? '';
  const group = stringAt(definition, 'spec', 'group') ?? '';
  const versions = arrayAt(definition, 'spec', 'versions')
    .filter(isJsonObject)
    .map((version) => versionView(version, `${group}/${stringAt(version, 'name')} ${kind}`, stored))
    .sort((a, b) => compareApiVersions(a.name, b.name));
  return {
    group,
    kind,
    plural: stringAt(definition, 'spec', 'names', 'plural') ?? '',
    isNamespaced: stringAt(definition, 'spec', 'scope') === 'Namespaced',
    preferred: versions.find(({ isServed }) => isServed)?.name,
    versions,
  };
}

function versionView(version: JsonValue, name: string, stored: readonly JsonValue[]): DefinitionVersion {
  const schema = getAt(version, 'schema', 'openAPIV3Schema');
  const isDeprecated = getAt(version, 'deprecated') === true;
  const own = stringAt(version, 'name') ?? '';
  return {
    name: own,
    isServed: getAt(version, 'served') === true,
    isStored: getAt(version, 'storage') === true,
    wasStored: stored.includes(own),
    deprecation: isDeprecated ? (stringAt(version, 'deprecationWarning') ?? `${name} is deprecated`) : undefined,
    subresources: Object.keys(objectAt(version, 'subresources')),
    columns: arrayAt(version, 'additionalPrinterColumns').map(columnView),
    schema: isJsonObject(schema) ? schemaResolver({})(schema) : undefined,
  };
}

function columnView(column: JsonValue): DefinitionColumn {
  return {
    name: stringAt(column, 'name') ?? '',
    type: stringAt(column, 'type') ?? '',
    jsonPath: stringAt(column, 'jsonPath') ?? '',
    description: stringAt(column, 'description') ?? '',
    isWide: Number(getAt(column, 'priority') ?? 0) > 0,
  };
}

/** What keeps a kind from being served as it should be, a sentence each; empty when nothing does. */
export function definitionProblems(definition: KubeObject): string[] {
  const kind = stringAt(definition, 'spec', 'names', 'kind') ?? '';
  return conditionsOf(definition).flatMap(({ type, status, message }) => {
    const why = message === '' ? '' : ` ${message}`;
    switch (`${type} ${status}`) {
      case 'Established False':
        return [`The API server does not serve ${kind} yet.${why}`];
      case 'NamesAccepted False':
        return [`Another definition has one of the names of ${kind}, so it is not served.${why}`];
      case 'NonStructuralSchema True':
        return [`The schema of ${kind} is not structural, so unknown fields are not removed.${why}`];
      case 'Terminating True':
        return [`The definition is being deleted, and every ${kind} with it.${why}`];
      case 'KubernetesAPIApprovalPolicyConformant False':
        return [`The group of ${kind} is protected, and the definition has no approval.${why}`];
      default:
        return [];
    }
  });
}

/** What a deletion of the definition deletes, in one sentence. */
export function definitionDeletion(kind: string, total: number): string {
  if (total === 0) return `No object of kind ${kind} exists.`;
  const objects = total === 1 ? `1 ${kind}` : `${total} objects of kind ${kind}`;
  return `Deleting this CRD also deletes ${objects}, and the objects that ${total === 1 ? 'it owns' : 'they own'}.`;
}

/** How many objects of a kind there are, and the Instances that applied those of the list. */
export interface UseOfDefinition {
  readonly total: number;
  readonly instances: readonly { readonly namespace: string; readonly name: string }[];
}

/** @param list a page of the objects of the kind, with their metadata at least */
export function definitionUse(list: JsonValue, instanceLabel: string): UseOfDefinition {
  const items = arrayAt(list, 'items');
  const byKey = new Map<string, { namespace: string; name: string }>();
  for (const item of items) {
    const name = stringAt(item, 'metadata', 'labels', instanceLabel);
    const namespace = stringAt(item, 'metadata', 'namespace');
    // A cluster-scoped object does not say in which namespace its Instance is.
    if (name !== undefined && namespace !== undefined) byKey.set(`${namespace}/${name}`, { namespace, name });
  }
  const instances = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, instance]) => instance);
  return { total: items.length + (numberAt(list, 'metadata', 'remainingItemCount') ?? 0), instances };
}
