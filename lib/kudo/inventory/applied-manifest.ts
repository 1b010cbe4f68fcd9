import { type JsonObject, parseJsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { LAST_APPLIED_ANNOTATION } from '@/lib/kudo/names';
import { withoutRecordNoise } from './record-noise';
import { showsSecretValues, withLiveValues } from './secret-data';

/** What is read of a live object. */
type LiveObject = Pick<KubeObject, 'metadata'>;

/**
 * What a plan applied last to a live object, from the record on it (without the noise of KUDO's); undefined without one that can
 * be read. The record of a Secret holds no values: they are taken from the live object.
 */
export function appliedManifest(live: LiveObject): KubeObject | undefined {
  const text = live.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  const recorded = text === undefined ? undefined : parseJsonObject(text);
  return recorded === undefined ? undefined : manifestOfRecord(recorded, live);
}

/** The manifest that a record stands for; undefined for one that is no object of Kubernetes. */
export function manifestOfRecord(record: JsonObject, live: object): KubeObject | undefined {
  const plain = withoutRecordNoise(record);
  return isKubeObject(plain) ? withLiveValues(plain, live) : undefined;
}

/** True when the record on a live Secret shows values, so that the next apply has to replace it. */
export function hasReadableSecretValues(live: Pick<KubeObject, 'metadata'>): boolean {
  const text = live.metadata.annotations?.[LAST_APPLIED_ANNOTATION];
  const recorded = text === undefined ? undefined : parseJsonObject(text);
  return isKubeObject(recorded) && showsSecretValues(recorded);
}
