import { findParameter, parametersOf, secretParameters } from '@/lib/kudo/parameters/parameters';
import { isUnknownValue } from '@/lib/kudo/plan/unknown-value';
import { parameterSourceOf } from '@/lib/kudo/sources/parameter-source';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { InstanceChange } from './decision-change';

/**
 * Why immutable parameters forbid a change, or undefined (KEP-30). Stricter than KUDO on purpose
 * (T-14): a value can neither be removed nor be changed by way of an upgrade.
 */
export function immutabilityProblem(
  before: Instance,
  after: Instance,
  change: InstanceChange,
  versions: { readonly before: OperatorVersion | undefined; readonly after: OperatorVersion },
): string | undefined {
  return (
    valueProblem(before, change, versions) ?? (change.isUpgrade ? newlyImmutableProblem(after, versions) : undefined)
  );
}

function valueProblem(
  before: Instance,
  change: InstanceChange,
  versions: { readonly before: OperatorVersion | undefined; readonly after: OperatorVersion },
): string | undefined {
  const guard = change.isUpgrade ? versions.before : versions.after;
  const isFixed = (name: string): boolean =>
    findParameter(guard, name)?.immutable === true && findParameter(versions.after, name)?.immutable === true;
  for (const [name, value] of change.changed) {
    if (!isFixed(name)) continue;
    const was = before.spec?.parameters?.[name];
    const from = was === undefined ? 'unset' : shown(name, was, guard);
    return `parameter "${name}" is immutable and cannot be changed from ${from} to ${shown(name, value, guard)}`;
  }
  for (const [name, value] of change.removed) {
    if (isFixed(name))
      return `parameter "${name}" is immutable and its value ${shown(name, value, guard)} cannot be removed`;
  }
  return undefined;
}

/** In quotes; a secret value is not shown, because refusals end up in events and logs. */
function shown(name: string, value: string, operatorVersion: OperatorVersion | undefined): string {
  return isUnknownValue(value) || secretParameters(operatorVersion).has(name) ? SECRET_MARK : `"${value}"`;
}

/** A parameter that is immutable from the new version on must be given a value by the person who upgrades. */
function newlyImmutableProblem(
  after: Instance,
  versions: { readonly before: OperatorVersion | undefined; readonly after: OperatorVersion },
): string | undefined {
  for (const { name, immutable, default: value } of parametersOf(versions.after)) {
    const isSet =
      Object.hasOwn(after.spec?.parameters ?? {}, name) || parameterSourceOf(after.spec, name) !== undefined;
    if (immutable !== true || isSet) continue;
    const was = findParameter(versions.before, name);
    if (was?.immutable === true) continue;
    if (was !== undefined) return `parameter "${name}" becomes immutable and must be set explicitly`;
    const hint = typeof value === 'string' ? ` (its default is ${shown(name, value, versions.after)})` : '';
    return `parameter "${name}" is new and immutable and must be set explicitly${hint}`;
  }
  return undefined;
}
