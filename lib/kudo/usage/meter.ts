import { isJsonObject, type JsonValue } from '@/lib/json/json';
import type { OperatorVersion } from '../types';

/** On an OperatorVersion: what the operator counts, as a JSON list of {@link Meter}. */
export const METER_ANNOTATION = 'bravo.kudo.dev/meter';
/** Every Instance counts itself under this name. */
export const INSTANCES_METER = 'instances';
export const INSTANCES_UNIT = 'instance-hours';
/** The largest value of a meter: sums of months stay exact. */
export const MAX_METER_VALUE = 1_000_000;

/** One entry of `meter` in operator.yaml. An Instance uses `value` × hours of the unit. */
export interface Meter {
  readonly name: string;
  /** What the sum is called, such as `node-hours`. */
  readonly unit: string;
  /** A number, or a template that gives one. */
  readonly value: string;
}

const METER_NAME = /^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/;
const METER_UNIT = /^[A-Za-z][-A-Za-z0-9_/]{0,39}$/;

export function isMeterName(text: string): boolean {
  return METER_NAME.test(text) && text !== INSTANCES_METER;
}

export function isMeterUnit(text: string): boolean {
  return METER_UNIT.test(text);
}

/** The text of the annotation; undefined for no meters. */
export function formatMeters(meters: readonly Meter[]): string | undefined {
  return meters.length === 0 ? undefined : JSON.stringify(meters);
}

/** The meters of an OperatorVersion; entries that are none are left out. */
export function metersOf(operatorVersion: OperatorVersion | undefined): readonly Meter[] {
  const text = operatorVersion?.metadata.annotations?.[METER_ANNOTATION];
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.flatMap((entry: JsonValue) => meterOf(entry) ?? []) : [];
  } catch {
    return [];
  }
}

function meterOf(entry: JsonValue): Meter | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { name, unit, value } = entry;
  const areTexts = typeof name === 'string' && typeof unit === 'string' && typeof value === 'string';
  return areTexts && isMeterName(name) && isMeterUnit(unit) ? { name, unit, value } : undefined;
}

/** The value of a meter from the text that its template gave; undefined when that is no number from 0 to the largest value. */
export function meterValue(text: string): number | undefined {
  const value = Number(text.trim());
  return text.trim() !== '' && value >= 0 && value <= MAX_METER_VALUE ? value : undefined;
}
