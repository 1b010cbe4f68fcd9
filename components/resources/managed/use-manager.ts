'use client';

import { useObject } from '@/components/live/use-topic';
import type { KubeObject } from '@/lib/kube/object';
import { type ManagingInstance, managingInstance } from '@/lib/kudo/inventory/managing-instance';
import { operatorVersionKey, SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { isSelfHealing } from '@/lib/kudo/self-heal/self-heal';
import type { Instance } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';

/** The Instance that manages an object, and what becomes of changes that others make to the object. */
export interface Manager extends ManagingInstance {
  /** `on`: reverted within seconds; `paused`: switched off for the Instance; `off`: never switched on; `unknown`: it cannot be read. */
  readonly selfHeal: 'on' | 'paused' | 'off' | 'unknown';
  /** Where the templates are; undefined while the Instance is not known. */
  readonly version: { readonly namespace: string; readonly name: string } | undefined;
}

/** Undefined for an object that no Instance manages, or whose Instance was deleted. */
export function useManager(object: KubeObject | undefined): Manager | undefined {
  const found = object === undefined ? undefined : managingInstance(object);
  const at = found?.namespace === '' ? undefined : found;
  const instance = useObject(at && topics.instances, at?.namespace ?? '', at?.name ?? '');
  const version = instance.object && operatorVersionKey(instance.object as Instance);
  const operatorVersion = useObject(version && topics.operatorVersions, version?.namespace ?? '', version?.name ?? '');
  if (found === undefined || instance.deleted) return undefined;
  return { ...found, version, selfHeal: selfHealOf(instance.object, operatorVersion.object) };
}

/** @param version the OperatorVersion of the Instance; undefined where one of them cannot be read */
export function selfHealOf(instance: KubeObject | undefined, version: KubeObject | undefined): Manager['selfHeal'] {
  if (instance === undefined) return 'unknown';
  const own = instance.metadata.annotations?.[SELF_HEAL_ANNOTATION];
  if (own === 'off') return 'paused';
  if (own === undefined && version === undefined) return 'unknown';
  return isSelfHealing(instance, version) ? 'on' : 'off';
}
