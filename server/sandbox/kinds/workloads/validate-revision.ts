import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { invalid, required } from '@/lib/schema/field-error';
import { numberOf } from '../access';
import type { Faults } from '../kind-rules';

/** A ControllerRevision (Kubernetes pkg/apis/apps/validation ValidateControllerRevision). */
export function validateRevision(object: JsonObject, faults: Faults): void {
  const revision = numberOf(object, 'revision') ?? 0;
  if (revision < 0) faults.push(invalid('revision', revision, 'must be greater than or equal to 0'));
  if (object.data === undefined || object.data === null) faults.push(required('data', 'data is mandatory'));
}

/** What a revision holds stays (ValidateControllerRevisionUpdate). */
export function validateRevisionUpdate(revision: JsonObject, old: JsonObject, faults: Faults): void {
  if (!jsonEqual(revision.data, old.data)) faults.push(invalid('data', revision.data ?? null, 'field is immutable'));
}
