import { nameOf } from '@/lib/kube/object';
import { planForChange } from '@/lib/kudo/admission/triggers';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { type GivenValues, givenFor } from '@/lib/kudo/upgrades/given-values';
import { movedInstance } from '@/lib/kudo/upgrades/moved-instance';
import type { NamedVersion, UpgradeStep } from '@/lib/kudo/upgrades/upgrade-plan';
import type { StepVersion } from './step-versions';

/** The OperatorVersion as pages name it. */
export function namedVersion(version: OperatorVersion): NamedVersion {
  const { version: operatorVersion = '', appVersion = '' } = version.spec ?? {};
  return { name: nameOf(version), operatorVersion, appVersion };
}

/**
 * Which plan each move starts, when the ones before it are done. Locks and preconditions are judged apart from it, for the first one only.
 *
 * @param parameters values that go with the moves, each as soon as a version defines it
 */
export function planSteps(
  instance: Instance,
  current: OperatorVersion,
  steps: readonly StepVersion[],
  parameters: GivenValues,
): UpgradeStep[] {
  const { planExecution: _, ...spec } = instance.spec ?? {};
  let [from, at]: [OperatorVersion, Instance] = [current, { ...instance, spec }];
  return steps.map(({ operatorVersion, isInstalled }) => {
    const given = givenFor(operatorVersion, parameters);
    const preview = planForChange(at, from, { operatorVersion, parameters: given });
    [from, at] = [operatorVersion, movedInstance(at, operatorVersion, given)];
    const isDestructive = preview.confirmation !== undefined;
    return { ...namedVersion(operatorVersion), plan: preview.plan, isDestructive, isInstalled };
  });
}
