import type { JsonObject } from '@/lib/json/json';
import { fill } from './access';

/** Defaults of the spec of a PersistentVolumeClaim, wherever it stands. */
export function defaultClaimSpec(spec: JsonObject): void {
  fill(spec, { volumeMode: 'Filesystem' });
}
