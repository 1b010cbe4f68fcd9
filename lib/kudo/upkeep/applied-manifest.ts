import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';

/** What a plan applied last to a live object, from the record on it; undefined without one that can be read. */
export function appliedManifest(live: Pick<KubeObject, 'metadata'>): KubeObject | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isKubeObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
