import type { JsonObject } from '@/lib/json/json';
import { pathSegmentProblems } from '@/lib/kube/label-syntax';
import { invalid, required } from '@/lib/schema/field-error';
import { textOf } from '../access';
import type { Faults } from '../kind-rules';

/** The kind and the name of another object. */
export function checkTarget(target: JsonObject, path: string, faults: Faults): void {
  for (const key of ['kind', 'name']) {
    const value = textOf(target, key);
    if (value === '') faults.push(required(`${path}.${key}`));
    for (const problem of pathSegmentProblems(value)) faults.push(invalid(`${path}.${key}`, value, problem));
  }
}
