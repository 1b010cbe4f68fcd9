import { BravoError, messageOf } from '@/lib/errors/errors';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import { claimOrdinal, fateOf, fatesAfterPlan, type VolumeFate } from '@/lib/kudo/view/volume-fate';
import type { Api } from '@/server/kube/api';
import { listClaims } from './list-claims';
import { type PlannedState, plannedClaims } from './render-planned';

interface VolumeInput {
  readonly plan: string;
  readonly state: PlannedState;
  readonly problems: string[];
}

/** What a plan does to the claims of the Instance, and to others that it deletes. A read that fails is a problem, in a sentence. */
export async function volumesOf(
  api: Api,
  instance: Instance,
  { plan, state, problems }: VolumeInput,
): Promise<VolumeFate[]> {
  try {
    const { claims, statefulSets } = await listClaims(api, namespaceOf(instance));
    const fates = fatesAfterPlan({ claims, live: statefulSets, plan: plannedClaims(plan, state) });
    const known = new Set(fates.map(({ name }) => name));
    const own = claims.filter((claim) => !known.has(claim.metadata.name ?? '') && isOf(claim, statefulSets, instance));
    const staying = own.map((claim) => fateOf(claim, false, `Plan ${plan} does not delete it.`));
    return [...fates.filter(({ goes }) => goes), ...fates.filter(({ goes }) => !goes), ...staying];
  } catch (error) {
    if (!(error instanceof BravoError)) throw error;
    problems.push(`The volumes cannot be checked: ${messageOf(error)}`);
    return [];
  }
}

function isOf(claim: KubeObject, statefulSets: readonly KubeObject[], { metadata }: Instance): boolean {
  const isLabelled = (object: KubeObject) => object.metadata.labels?.[INSTANCE_LABEL] === metadata.name;
  const set = statefulSets.find((each) => claimOrdinal(claim.metadata.name ?? '', each) !== undefined);
  return isLabelled(claim) || (set !== undefined && isLabelled(set));
}
