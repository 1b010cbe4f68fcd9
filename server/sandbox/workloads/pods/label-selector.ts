import { isJsonObject } from '@/lib/json/json';
import type { Labels } from '../../selectors/selector';

/** True when every pair of the map is among the labels. */
export function hasEveryLabel(wanted: unknown, labels: Labels): boolean {
  if (!isJsonObject(wanted)) return false;
  return Object.keys(wanted).every((key) => labels && Object.hasOwn(labels, key) && labels[key] === wanted[key]);
}
