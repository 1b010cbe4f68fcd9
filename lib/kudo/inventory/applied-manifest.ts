import { parseJsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { withoutRecordNoise } from '@/lib/kudo/record-noise';

/** What a plan applied last to a live object, from the record on it (without the noise of KUDO's); undefined without one that can be read. */
export function appliedManifest(live: Pick<KubeObject, 'metadata'>): KubeObject | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  const recorded = text === undefined ? undefined : parseJsonObject(text);
  const plain = recorded === undefined ? undefined : withoutRecordNoise(recorded);
  return isKubeObject(plain) ? plain : undefined;
}
