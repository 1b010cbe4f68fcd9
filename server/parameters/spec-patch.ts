import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { PlacedEdit } from '@/lib/kudo/sources/place-edit';
import type { Instance } from '@/lib/kudo/types';

/**
 * The merge patch of an edit, guarded by the resourceVersion of the state that was read. It replaces the list of sources as a
 * whole, and leaves it out when it stays the same.
 */
export function specPatch(
  stored: Instance,
  { parameters, sources }: Pick<PlacedEdit, 'parameters' | 'sources'>,
  next: Instance,
): { readonly metadata: JsonObject; readonly spec: JsonObject } {
  const { resourceVersion } = stored.metadata;
  const list = (next.spec?.parametersFrom ?? null) as unknown as JsonValue;
  return {
    metadata: resourceVersion === undefined ? {} : { resourceVersion },
    spec: { parameters: { ...parameters }, ...(Object.keys(sources).length === 0 ? {} : { parametersFrom: list }) },
  };
}
