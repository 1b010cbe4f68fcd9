import { parseRfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, isJsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { formatLabelSelector } from '../selectors/selector';
import { humanDuration } from './human-duration';

/** The time since an RFC 3339 text, `<unknown>` when there is none. */
export function since(text: string | null | undefined, nowMs: number): string {
  const ms = text === null || text === undefined ? undefined : parseRfc3339(text);
  return ms === undefined ? '<unknown>' : humanDuration(nowMs - ms);
}

export function age(object: KubeObject, nowMs: number): string {
  return since(object.metadata.creationTimestamp, nowMs);
}

export function nameOfObject(object: KubeObject): string {
  return object.metadata.name ?? '';
}

/** The text at a path, `<none>` when absent or empty. */
export function textOr(value: unknown, otherwise: string, ...path: readonly (string | number)[]): string {
  const found = stringAt(value, ...path);
  return found === undefined || found === '' ? otherwise : found;
}

export function count(value: unknown, ...path: readonly string[]): number {
  return numberAt(value, ...path) ?? 0;
}

/** Names and images of the containers of a pod template, each joined by commas. */
export function containers(value: unknown, ...path: readonly string[]): [string, string] {
  const list = arrayAt(value, ...path, 'containers');
  const join = (key: string): string => list.map((each) => stringAt(each, key) ?? '').join(',');
  return [join('name'), join('image')];
}

export function selectorText(value: unknown): string {
  return isJsonObject(value) ? formatLabelSelector(value) : '<none>';
}

/** A map as `a=b,c=d`, `<none>` when empty (labels.FormatLabels). */
export function labelsText(labels: unknown): string {
  const entries = isJsonObject(labels) ? Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  return entries.length === 0 ? '<none>' : entries.map(([key, value]) => `${key}=${String(value)}`).join(',');
}

/** An int-or-string as text. */
export function intOrString(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : otherwise;
}

const ACCESS: { readonly [mode: string]: string } = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** `RWO,ROX` in Kubernetes' order. */
export function accessModes(modes: readonly JsonValue[]): string {
  return Object.keys(ACCESS)
    .filter((mode) => modes.includes(mode))
    .map((mode) => ACCESS[mode])
    .join(',');
}
