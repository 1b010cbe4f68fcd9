import type { JsonObject } from '@/lib/json/json';
import { fill } from './access';

/** Defaults of the spec of a PersistentVolumeClaim, in a claim, a template or a volume. */
export function defaultClaimSpec(spec: JsonObject): void {
  fill(spec, { volumeMode: 'Filesystem' });
}
