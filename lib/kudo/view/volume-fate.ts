import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { growsVolumes, requestedStorage } from '@/lib/kudo/volume-growth/claim-templates';
import { asksForLess, claimsWithSize } from '@/lib/kudo/volume-growth/growing-claims';

/** What happens to a PersistentVolumeClaim, and to the data on its volume. */
export interface VolumeFate {
  readonly name: string;
  /** The capacity, else what was requested; empty when neither is known. */
  readonly size: string;
  readonly goes: boolean;
  /** The size that it grows to; absent when its size stays. */
  readonly growsTo?: string;
  /** Why, as the end of a sentence: `Plan cleanup deletes it.`. */
  readonly because: string;
}

/** What a rendered plan does that decides about claims. */
export interface PlannedClaims {
  readonly plan: string;
  /** `Kind/name` of what the plan deletes; claims and StatefulSets also when it applies them again afterwards. */
  readonly deleted: ReadonlySet<string>;
  /** The StatefulSets that the plan applies, as rendered; one that is rendered several times is here several times. */
  readonly statefulSets: readonly KubeObject[];
  /** The claims that the plan applies, as rendered. */
  readonly claims: readonly KubeObject[];
}

export interface DeletionState {
  /** Every claim of the namespace. */
  readonly claims: readonly KubeObject[];
  /** The name of the Instance. */
  readonly instance: string;
  /** Live StatefulSets of the Instance. */
  readonly statefulSets: readonly KubeObject[];
  /** UIDs of the Instance and of everything that it owns, directly or through others. */
  readonly going: ReadonlySet<string>;
  /** The cleanup plan; undefined when none runs. */
  readonly cleanup: PlannedClaims | undefined;
}

/** The claims of an Instance after it was deleted, in the order given. Claims of others are left out. */
export function fatesAfterDeletion(state: DeletionState): VolumeFate[] {
  return state.claims.flatMap((claim) => {
    const because = deletionReason(claim, state);
    if (because !== undefined) return [fateOf(claim, true, because)];
    const set = state.statefulSets.find((candidate) => claimOrdinal(nameOf(claim), candidate) !== undefined);
    if (set !== undefined) return [fateOf(claim, false, `StatefulSet ${nameOf(set)} keeps the claims of its members.`)];
    if (claim.metadata.labels?.[INSTANCE_LABEL] !== state.instance) return [];
    return [fateOf(claim, false, 'No plan deletes it and nothing owns it.')];
  });
}

/** Why the claim is deleted together with the Instance; undefined when it stays. */
function deletionReason(claim: KubeObject, { statefulSets, going, cleanup }: DeletionState): string | undefined {
  if (cleanup?.deleted.has(keyOf(claim)) === true) return `Plan ${cleanup.plan} deletes it.`;
  const owner = claim.metadata.ownerReferences?.find(({ uid }) => going.has(uid));
  if (owner !== undefined) return `${owner.kind} ${owner.name} owns it.`;
  const set = statefulSets.find((candidate) => claimOrdinal(nameOf(claim), candidate) !== undefined);
  if (set === undefined) return undefined;
  const isDeleted = going.has(set.metadata.uid ?? '') || cleanup?.deleted.has(keyOf(set)) === true;
  return isDeleted && retention(set, 'whenDeleted') === 'Delete' ? deletedWith(set) : undefined;
}

export interface PlanState {
  /** Every claim of the namespace. */
  readonly claims: readonly KubeObject[];
  /** Live StatefulSets, which have the current number of members. */
  readonly live: readonly KubeObject[];
  readonly plan: PlannedClaims;
}

/** The claims that a plan deletes or makes larger, and those of members that it removes; in the order given. */
export function fatesAfterPlan({ claims, live, plan }: PlanState): VolumeFate[] {
  return claims.flatMap((claim) => {
    if (plan.deleted.has(keyOf(claim))) return [fateOf(claim, true, `Plan ${plan.plan} deletes it.`)];
    const growth = growthOf(claim, plan);
    if (growth !== undefined) return [growth];
    const set = live.find((candidate) => claimOrdinal(nameOf(claim), candidate) !== undefined);
    if (set === undefined) return [];
    if (plan.deleted.has(keyOf(set))) {
      return retention(set, 'whenDeleted') === 'Delete' ? [fateOf(claim, true, deletedWith(set))] : [];
    }
    return removedMember(claim, set, plan);
  });
}

/** How a plan makes the volume of a claim larger; undefined when it does not. */
function growthOf(claim: KubeObject, { plan, statefulSets, claims }: PlannedClaims): VolumeFate | undefined {
  for (const set of statefulSets.filter(growsVolumes)) {
    const [sized] = claimsWithSize([claim], set).filter(asksForLess);
    if (sized === undefined) continue;
    const because = `StatefulSet ${nameOf(set)} grows it to ${sized.size}. No pod restarts because of it.`;
    return { ...fateOf(claim, false, because), growsTo: sized.size };
  }
  const size = claims
    .filter((each) => nameOf(each) === nameOf(claim))
    .map(requestedStorage)
    .at(-1);
  if (size === undefined || !asksForLess({ claim, size })) return undefined;
  return { ...fateOf(claim, false, `Plan ${plan} grows it to ${size}.`), growsTo: size };
}

function removedMember(claim: KubeObject, set: KubeObject, plan: PlannedClaims): VolumeFate[] {
  const ordinal = claimOrdinal(nameOf(claim), set) ?? 0;
  const rendered = plan.statefulSets.filter((candidate) => nameOf(candidate) === nameOf(set));
  const removing = rendered.find((candidate) => ordinal >= endOf(candidate));
  if (removing === undefined || ordinal >= endOf(set)) return [];
  if (retention(removing, 'whenScaled') !== 'Delete') {
    return [fateOf(claim, false, `StatefulSet ${nameOf(set)} keeps the claims of removed members.`)];
  }
  return [
    fateOf(claim, true, `StatefulSet ${nameOf(set)} deletes the claims of removed members (whenScaled: Delete).`),
  ];
}

/** The number in `<template>-<statefulset>-<ordinal>`; undefined for a claim that is not one of the StatefulSet's. */
export function claimOrdinal(claim: string, statefulSet: KubeObject): number | undefined {
  for (const template of arrayAt(statefulSet.spec, 'volumeClaimTemplates')) {
    const prefix = `${stringAt(template, 'metadata', 'name') ?? ''}-${nameOf(statefulSet)}-`;
    const rest = claim.startsWith(prefix) ? claim.slice(prefix.length) : '';
    if (/^[0-9]+$/.test(rest)) return Number(rest);
  }
  return undefined;
}

/** The ordinal after the last member. */
function endOf({ spec }: KubeObject): number {
  return (numberAt(spec, 'ordinals', 'start') ?? 0) + (numberAt(spec, 'replicas') ?? 1);
}

function retention({ spec }: KubeObject, when: 'whenDeleted' | 'whenScaled'): string {
  return stringAt(spec, 'persistentVolumeClaimRetentionPolicy', when) ?? 'Retain';
}

function deletedWith(set: KubeObject): string {
  return `StatefulSet ${nameOf(set)} deletes its claims (whenDeleted: Delete).`;
}

function keyOf(object: KubeObject): string {
  return `${object.kind}/${nameOf(object)}`;
}

/** A claim with its size, and why it goes or stays. */
export function fateOf(claim: KubeObject, goes: boolean, because: string): VolumeFate {
  const size =
    stringAt(claim.status, 'capacity', 'storage') ?? stringAt(claim.spec, 'resources', 'requests', 'storage');
  return { name: nameOf(claim), size: size ?? '', goes, because };
}

/** Fates by what a person has to know first: data that go, volumes that grow, and what stays as it is. */
export function groupFates(fates: readonly VolumeFate[]) {
  return {
    going: fates.filter(({ goes }) => goes),
    growing: fates.filter(({ goes, growsTo }) => !goes && growsTo !== undefined),
    staying: fates.filter(({ goes, growsTo }) => !goes && growsTo === undefined),
  };
}
