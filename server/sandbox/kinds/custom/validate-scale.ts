import { getAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { FieldError } from '../strategy';

const MAX = 2_147_483_647;

/**
 * The numbers behind the subresource scale of a custom resource (Kubernetes apiextensions customresource/validator.go,
 * ValidateScaleSpec and ValidateScaleStatus); told with the path of the definition, its dot included.
 */
export function validateScale(object: JsonObject, scale: JsonValue | undefined): FieldError[] {
  if (!isJsonObject(scale)) return [];
  return ['specReplicasPath', 'statusReplicasPath'].flatMap((key) => {
    const path = scale[key];
    if (typeof path !== 'string') return [];
    const count = getAt(object, ...path.split('.').slice(1));
    if (typeof count !== 'number' || (count >= 0 && count <= MAX)) return [];
    const wish = count < 0 ? 'should be a non-negative integer' : `should be less than or equal to ${MAX}`;
    return [{ field: path, type: 'FieldValueInvalid', message: `Invalid value: ${count}: ${wish}` }];
  });
}
