import { getAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual, setOwn } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import { type FieldPath, settersOf } from '@/lib/kube/ownership/set-fields';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { editYaml } from '@/lib/yaml/edit/edit-yaml';
import { type ChangedField, changedFields } from '../managed/changed-fields';
import { draftText } from '../object-draft';

/** What a save would do, as a dry run at the API server answered. */
export interface SaveReview {
  /** The object that is replaced, with its `managedFields` where they could be read. */
  readonly before: KubeObject;
  /** The object as it was sent. */
  readonly edited: KubeObject;
  /** The object as it would be stored, with defaults and what webhooks change. */
  readonly result: KubeObject;
  /** Why the API server could not try it; `result` is then what was sent. */
  readonly untried?: string;
}

/** A changed field that others set, too. */
export interface TakenField extends ChangedField {
  /** Never empty. */
  readonly managers: readonly string[];
}

/** The fields that a save takes over from other field managers: what it changes or removes and they set. */
export function takenFields({ before, edited }: Pick<SaveReview, 'before' | 'edited'>): readonly TakenField[] {
  return changedFields(reviewed(before), reviewed(edited)).flatMap((field) => {
    const managers = (settersOf(before, field.at) ?? []).filter((name) => name !== CONSOLE_MANAGER && name !== '');
    return managers.length === 0 ? [] : [{ ...field, managers }];
  });
}

/** Edited fields that the API server would store otherwise than they were written: values that it normalizes, fields of the status, unknown fields. */
export function unstoredFields({ before, edited, result }: SaveReview): readonly ChangedField[] {
  return changedFields(reviewed(before), reviewed(edited)).filter(
    ({ at }) => !jsonEqual(getAt(edited, ...at) ?? null, getAt(result, ...at) ?? null),
  );
}

/** Both sides of the change as YAML, without what each write changes by itself, and without secret values. */
export function reviewTexts(review: SaveReview, isMasked: boolean): { readonly left: string; readonly right: string } {
  const after = isMasked ? maskChanged(review.edited, review.before) : review.result;
  return { left: draftText(reviewed(review.before)), right: draftText(reviewed(after)) };
}

/** A text with the stored value of a field back in it; undefined when the text cannot be changed there alone. */
export function keepTheirs(text: string, before: KubeObject, { at }: Pick<ChangedField, 'at'>): string | undefined {
  const value = getAt(before, ...at);
  return editYaml(text, value === undefined ? { op: 'remove', path: at } : { op: 'set', path: at, value });
}

/** An object without what each write changes by itself. */
export function reviewed<T extends KubeObject>(object: T): T & JsonObject {
  const { resourceVersion: _, generation: _generation, managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata } as T & JsonObject;
}

const CHANGED_SECRET = '‹secret, changed›';

/** The edited object without the secret values that a person has typed; the stored ones are masked already. */
function maskChanged(edited: KubeObject, before: KubeObject): KubeObject {
  const isSecret = edited.kind === 'Secret';
  const mask = (value: JsonValue | undefined, old: JsonValue | undefined, at: FieldPath): JsonValue => {
    if (isJsonObject(value)) {
      const masked: JsonObject = {};
      for (const [key, member] of Object.entries(value))
        setOwn(masked, key, mask(member, getAt(old, key), [...at, key]));
      return masked;
    }
    if (Array.isArray(value)) return value.map((item, index) => mask(item, getAt(old, index), [...at, index]));
    const isHidden = old === SECRET_MARK || (isSecret ? isSecretValue(at) : isParameterValue(at));
    return isHidden && value !== SECRET_MARK ? CHANGED_SECRET : (value ?? null);
  };
  return mask(edited as unknown as JsonObject, before as unknown as JsonObject, []) as unknown as KubeObject;
}

function isSecretValue(at: FieldPath): boolean {
  return at[0] === 'data' || at[0] === 'stringData';
}

function isParameterValue(at: FieldPath): boolean {
  const [spec, parameters, name] = at;
  return spec === 'spec' && parameters === 'parameters' && typeof name === 'string' && isSecretParameter(name);
}
