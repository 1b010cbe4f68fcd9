import { type JsonSchema, memberSchema } from '@/lib/schema/json-schema';

/** The names of the directives of a strategic merge patch (Kubernetes apimachinery strategicpatch). */
export const directives = {
  patch: '$patch',
  retainKeys: '$retainKeys',
  deletePrefix: '$deleteFromPrimitiveList/',
  orderPrefix: '$setElementOrder/',
} as const;

/** How one field is patched. */
export interface FieldPatchMeta {
  /** The field's name. */
  readonly key: string;
  readonly schema: JsonSchema | undefined;
  readonly strategy: 'merge' | 'replace' | '';
  readonly retainKeys: boolean;
  /** The merge key of a list of objects, empty when there is none. */
  readonly mergeKey: string;
}

/** How a member that is an object is patched; `schema` is that of the member. */
export function mapPatchMeta(schema: JsonSchema | undefined, key: string): FieldPatchMeta {
  return metaOf(key, memberSchema(schema, key), undefined);
}

/** How a member that is a list is patched; `schema` is that of the list's elements. */
export function listPatchMeta(schema: JsonSchema | undefined, key: string): FieldPatchMeta {
  const member = memberSchema(schema, key);
  return metaOf(key, member, member?.items);
}

function metaOf(key: string, member: JsonSchema | undefined, elements: JsonSchema | undefined): FieldPatchMeta {
  const strategies = (member?.['x-kubernetes-patch-strategy'] ?? '').split(',');
  const strategy = strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '';
  return {
    key,
    schema: elements ?? member,
    strategy,
    retainKeys: strategies.includes('retainKeys'),
    mergeKey: member?.['x-kubernetes-patch-merge-key'] ?? '',
  };
}
