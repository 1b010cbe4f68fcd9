import { movedInstance } from '@/lib/kudo/upgrades/moved-instance';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { compareVersionObjects, type VersionComparison } from '@/server/catalogue/compare-versions';
import { previewEffects } from '@/server/instances/preview-plan';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import type { PlanContext, PlannedMove } from './upgrade-context';

/** The objects of an upgrade, and what the API server says of them in a dry run. */
export interface UpgradeObjects extends VersionComparison {
  readonly restarts: readonly string[];
  /** Objects that the API server refuses, a sentence each. */
  readonly refused: readonly string[];
  /** What could not be found out, a sentence each. */
  readonly unchecked: readonly string[];
}

const NONE: UpgradeObjects = {
  changes: [],
  unchanged: 0,
  leftOver: [],
  warnings: [],
  problems: [],
  restarts: [],
  refused: [],
  unchecked: [],
};

/** Compares what the two versions render with the Instance's values, and asks the API server whether it takes the objects of the new one. */
export async function upgradeObjects(context: PlanContext, move: PlannedMove | undefined): Promise<UpgradeObjects> {
  if (move === undefined || move.plan === undefined) return NONE;
  const { api, clock } = context;
  const { instance, current, target, parameters, plan } = move;
  const reads = await readSources(api, [instance]);
  // A value that the person may not read is the same text before and after, so that it does not look changed.
  const [before = instance, next = instance] = [instance, movedInstance(instance, target, parameters)].map((one) =>
    withReadValues(one, reads, SECRET_MARK),
  );
  const compared = await compareVersionObjects(context, { instance: before, next, current, target, plan });
  const edit = { operatorVersion: target, parameters };
  const effects = await previewEffects(api, { instance, operatorVersion: current }, { edit }, clock);
  const { restarts, problems, unchecked } = effects;
  return { ...compared, restarts, refused: problems, unchecked };
}
