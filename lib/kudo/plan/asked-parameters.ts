import { jsonEqual } from '@/lib/json/json';
import { parameterDiff } from '@/lib/kudo/parameters/parameters';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { instanceAsActedUpon } from './acted-upon';
import type { NextActionInput } from './next-action-types';

/** True when nothing was edited but parameters that the plan asks for: they belong to its start. */
export function isAskedFor({ instance, operatorVersion, fingerprints }: NextActionInput, plan: string): boolean {
  const { parameters: asked = [] } = planMetadataOf(operatorVersion, plan);
  const before = instanceAsActedUpon(instance, fingerprints);
  if (!jsonEqual(before.spec?.operatorVersion, instance.spec?.operatorVersion)) return false;
  const { changed, removed } = parameterDiff(before.spec?.parameters, instance.spec?.parameters);
  return [...changed.keys(), ...removed.keys()].every((name) => asked.includes(name));
}
