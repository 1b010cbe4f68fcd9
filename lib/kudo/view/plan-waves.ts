import type { JsonObject } from '@/lib/json/json';
import { DEPLOY_PLAN, hasPlan } from '@/lib/kudo/names';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { OPERATOR_UPGRADE_API_VERSION } from '@/lib/kudo/upgrades/operator-upgrade';
import type { InstanceRow } from './instance-row';
import { needsConfirmation, ownPlans } from './plan-availability';

type Row = Pick<InstanceRow, 'namespace' | 'name' | 'operator' | 'operatorVersionObject'>;

/** Instances whose runs are one OperatorUpgrade: it is about one operator in one namespace. */
export interface WaveGroup {
  readonly namespace: string;
  readonly operator: string;
  readonly instances: readonly string[];
}

/** How a plan is to run on them. */
export interface WaveWishes {
  readonly plan: string;
  readonly waveSize: number;
  readonly stopOnFailure: boolean;
  readonly reason: string;
  /** The person has confirmed that the plan deletes or replaces data. */
  readonly isConfirmed: boolean;
}

/** The plans that every one of the Instances has and that start without values of their own, in the order of the first. */
export function plansOfAll(rows: readonly Row[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const plans = [...ownPlans(first), DEPLOY_PLAN];
  return plans.filter((plan) =>
    rows.every((row) => hasPlan(row.operatorVersionObject, plan) && !asksForValues(row, plan)),
  );
}

function asksForValues({ operatorVersionObject }: Row, plan: string): boolean {
  return (planMetadataOf(operatorVersionObject, plan).parameters ?? []).length > 0;
}

/** True when the plan deletes or replaces data of one of them. */
export function isDestructiveForAny(rows: readonly Row[], plan: string): boolean {
  return rows.some((row) => needsConfirmation(row, plan));
}

/** The Instances by namespace and operator, in the order in which they come. */
export function waveGroups(rows: readonly Row[]): readonly WaveGroup[] {
  const groups = new Map<string, WaveGroup>();
  for (const { namespace, name, operator } of rows) {
    const key = `${namespace}/${operator}`;
    const known = groups.get(key) ?? { namespace, operator, instances: [] };
    groups.set(key, { ...known, instances: [...known.instances, name] });
  }
  return [...groups.values()];
}

/** The OperatorUpgrade that runs the plan on a group. */
export function waveUpgrade(
  { namespace, operator, instances }: WaveGroup,
  wishes: WaveWishes,
  name: string,
): JsonObject {
  const { plan, waveSize, stopOnFailure, reason, isConfirmed } = wishes;
  return {
    apiVersion: OPERATOR_UPGRADE_API_VERSION,
    kind: 'OperatorUpgrade',
    metadata: { name, namespace },
    spec: {
      operator,
      plan,
      instances: [...instances],
      waveSize,
      pauseOnFailure: stopOnFailure,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(isConfirmed ? { confirm: operator } : {}),
    },
  };
}
