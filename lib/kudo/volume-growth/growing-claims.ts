import { parseTime } from '@/lib/clock/clock';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { conditionByType } from '@/lib/kube/conditions';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { compareQuantities } from '@/lib/kube/quantity';
import { requestedStorage } from './claim-templates';

/** A claim of a StatefulSet, and the size that the StatefulSet wants for it. */
export interface SizedClaim {
  readonly claim: KubeObject;
  readonly size: string;
}

/** The bound claims of the pods that the StatefulSet wants, in the order of their names; claims of removed pods are left out. */
export function claimsWithSize(claims: readonly KubeObject[], set: KubeObject): SizedClaim[] {
  const start = numberAt(set.spec, 'ordinals', 'start') ?? 0;
  const end = start + (numberAt(set.spec, 'replicas') ?? 1);
  const found: SizedClaim[] = [];
  for (const template of arrayAt(set.spec, 'volumeClaimTemplates')) {
    const prefix = `${stringAt(template, 'metadata', 'name') ?? ''}-${nameOf(set)}-`;
    const size = requestedStorage(template);
    for (const claim of claims) {
      const ordinal = ordinalAfter(prefix, nameOf(claim));
      if (ordinal === undefined || ordinal < start || ordinal >= end || !isInUse(claim)) continue;
      found.push({ claim, size });
    }
  }
  return found.sort((a, b) => nameOf(a.claim).localeCompare(nameOf(b.claim), 'en', { numeric: true }));
}

function ordinalAfter(prefix: string, name: string): number | undefined {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : undefined;
}

function isInUse({ metadata, status }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined && stringAt(status, 'phase') === 'Bound';
}

/** True for a claim that asks for less than the StatefulSet wants. */
export function asksForLess({ claim, size }: SizedClaim): boolean {
  return compareQuantities(requestedStorage(claim), size) < 0;
}

/** True while the volume, or its file system, is smaller than the StatefulSet wants. */
export function isSmaller({ claim, size }: SizedClaim): boolean {
  return compareQuantities(capacityOf(claim), size) < 0;
}

/** The size that the claim has; `0` when it is not known. */
export function capacityOf(claim: KubeObject): string {
  return stringAt(claim.status, 'capacity', 'storage') ?? '0';
}

/** A driver that grows file systems in use is asked by the kubelet within a minute or two. */
export const FILE_SYSTEM_PATIENCE_MS = 2 * 60_000;
const FILE_SYSTEM = 'FileSystemResizePending';

/**
 * Whether the volume has grown and its file system has not: `soon` while the kubelet may still grow it, `at-restart` when that did not
 * happen, because drivers that cannot do it in use do it when a pod mounts the volume; undefined otherwise.
 */
export function fileSystemGrows(claim: KubeObject, nowMs: number): 'soon' | 'at-restart' | undefined {
  if (conditionByType(claim, FILE_SYSTEM)?.status !== 'True') return undefined;
  const condition = arrayAt(claim.status, 'conditions').find((each) => stringAt(each, 'type') === FILE_SYSTEM);
  const sinceMs = parseTime(stringAt(condition, 'lastTransitionTime')) ?? nowMs;
  return nowMs - sinceMs < FILE_SYSTEM_PATIENCE_MS ? 'soon' : 'at-restart';
}

/** `data-db-2` of StatefulSet `db` → pod `db-2`. */
export function podOfClaim(claim: KubeObject, set: KubeObject): string {
  const name = nameOf(claim);
  const at = name.lastIndexOf(`-${nameOf(set)}-`);
  return at < 0 ? name : name.slice(at + 1);
}
