import type { JsonObject } from '@/lib/json/json';
import { qualifiedNameProblems } from '@/lib/kube/label-syntax';
import { compareQuantities, parseQuantity } from '@/lib/kube/quantity';
import { duplicate, forbidden, invalid, required } from '@/lib/schema/field-error';
import { objectOf, objectsOf, textOf } from '../access';
import type { Faults } from '../kind-rules';
import { allowsOvercommit, checkContainerResourceName, checkResourceName } from '../validation/resource-names';

/** Pairs of bounds of which the first must not be above the second: both, where it is told, whose value, the words. */
const ORDERED = [
  ['min', 'max', 'min', 'min', 'min value', 'max value'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', 'min value', 'default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest', 'default request value', 'max value'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest', 'default request value', 'default limit value'],
  ['min', 'default', 'default', 'min', 'min value', 'default value'],
  ['default', 'max', 'default', 'max', 'default value', 'max value'],
] as const;
const AMOUNTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** A LimitRange (Kubernetes pkg/apis/core/validation ValidateLimitRange). */
export function validateLimitRange(object: JsonObject, faults: Faults): void {
  const types = new Set<string>();
  for (const [index, item] of objectsOf(objectOf(object, 'spec'), 'limits').entries()) {
    const path = `spec.limits[${index}]`;
    const type = textOf(item, 'type');
    checkType(type, `${path}.type`, faults);
    if (types.has(type)) faults.push(duplicate(`${path}.type`, type));
    types.add(type);
    checkNames(item, type, path, faults);
    if (type === 'PersistentVolumeClaim' && !objectOf(item, 'min')?.storage && !objectOf(item, 'max')?.storage) {
      const text = 'either minimum or maximum storage value is required, but neither was provided';
      faults.push(required(`${path}.limits`, text));
    }
    checkOrder(item, path, faults);
    checkRatios(item, path, faults);
  }
}

function checkType(type: string, field: string, faults: Faults): void {
  const problems = qualifiedNameProblems(type);
  for (const problem of problems) faults.push(invalid(field, type, problem));
  if (problems.length === 0 && !type.includes('/') && !TYPES.includes(type)) {
    faults.push(invalid(field, type, 'must be a standard limit type or fully qualified'));
  }
}

function checkNames(item: JsonObject, type: string, path: string, faults: Faults): void {
  const check = type === 'Pod' || type === 'Container' ? checkContainerResourceName : checkResourceName;
  for (const key of AMOUNTS) {
    const names = Object.keys(objectOf(item, key) ?? {});
    if (type === 'Pod' && (key === 'default' || key === 'defaultRequest')) {
      const words = "may not be specified when `type` is 'Pod'";
      if (names.length > 0) faults.push(forbidden(`${path}.${key}`, words));
    } else for (const name of names) check(name, `${path}.${key}[${name}]`, faults);
  }
}

function checkOrder(item: JsonObject, path: string, faults: Faults): void {
  for (const [low, high, at, shown, lowWords, highWords] of ORDERED) {
    for (const [name, amount] of Object.entries(objectOf(item, low) ?? {})) {
      const bound = objectOf(item, high)?.[name];
      if (typeof amount !== 'string' || typeof bound !== 'string' || compareQuantities(amount, bound) <= 0) continue;
      const value = objectOf(item, shown)?.[name] ?? amount;
      const text = `${lowWords} ${amount} is greater than ${highWords} ${bound}`;
      faults.push(invalid(`${path}.${at}[${name}]`, value, text));
    }
  }
  const [given, asked] = [objectOf(item, 'default') ?? {}, objectOf(item, 'defaultRequest') ?? {}];
  for (const [name, amount] of Object.entries(asked)) {
    const limit = given[name];
    if (typeof amount !== 'string' || typeof limit !== 'string' || allowsOvercommit(name)) continue;
    if (compareQuantities(amount, limit) === 0) continue;
    const text = `default value ${limit} must equal to defaultRequest value ${amount} in ${name}`;
    faults.push(invalid(`${path}.defaultRequest[${name}]`, amount, text));
  }
}

function checkRatios(item: JsonObject, path: string, faults: Faults): void {
  for (const [name, ratio] of Object.entries(objectOf(item, 'maxLimitRequestRatio') ?? {})) {
    if (typeof ratio !== 'string') continue;
    const field = `${path}.maxLimitRequestRatio[${name}]`;
    if (compareQuantities(ratio, '1') < 0) faults.push(invalid(field, ratio, `ratio ${ratio} is less than 1`));
    const [least, most] = ['min', 'max'].map((key) => nanosOf(objectOf(item, key)?.[name]));
    if (least === undefined || most === undefined) continue;
    const widest = most / least;
    if ((nanosOf(ratio) ?? 0) / 1e9 > widest) {
      faults.push(invalid(field, ratio, `ratio ${ratio} is greater than max/min = ${widest.toFixed(6)}`));
    }
  }
}

function nanosOf(amount: unknown): number | undefined {
  const quantity = typeof amount === 'string' ? parseQuantity(amount) : undefined;
  return quantity === undefined ? undefined : Number(quantity.nano);
}
