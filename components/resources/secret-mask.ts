import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '@/lib/json/json';
import { SECRET_MARK } from '@/lib/live/secret-mark';

/** True when the console shows objects of this type without their secret values. */
export function isMaskedKind(type: { readonly group: string; readonly resource: string }): boolean {
  return (
    (type.group === '' && type.resource === 'secrets') || (type.group === 'kudo.dev' && type.resource === 'instances')
  );
}

/** True when the value contains a masked secret. */
export function hasMark(value: JsonValue | undefined): boolean {
  if (value === SECRET_MARK) return true;
  if (Array.isArray(value)) return value.some(hasMark);
  return isJsonObject(value) && Object.values(value).some(hasMark);
}

/**
 * An edited object with the masked values put back from the stored one, by their place.
 *
 * @returns the paths of marks that have no stored value in `lost`; such an object must not be written
 */
export function restoreSecrets(edited: JsonValue, stored: JsonValue | undefined): { value: JsonValue; lost: string[] } {
  const lost: string[] = [];
  return { value: restore(edited, stored, '', lost), lost };
}

function restore(edited: JsonValue, stored: JsonValue | undefined, path: string, lost: string[]): JsonValue {
  if (edited === SECRET_MARK) {
    if (stored === undefined || isJsonObject(stored)) lost.push(path);
    return stored ?? edited;
  }
  if (Array.isArray(edited)) {
    return edited.map((item, index) =>
      restore(item, Array.isArray(stored) ? stored[index] : undefined, `${path}[${index}]`, lost),
    );
  }
  if (!isJsonObject(edited)) return edited;
  const restored: JsonObject = {};
  for (const [key, member] of Object.entries(edited)) {
    const original = isJsonObject(stored) && Object.hasOwn(stored, key) ? stored[key] : undefined;
    setOwn(restored, key, restore(member, original, path === '' ? key : `${path}.${key}`, lost));
  }
  return restored;
}
