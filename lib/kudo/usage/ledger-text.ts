import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '@/lib/json/json';
import { EMPTY_LEDGER, type MeterSum, type MonthSums, type OpenLife, type Rate, type UsageLedger } from './ledger';

/** The ConfigMap of a namespace, its label, and the key of {@link formatLedger}. */
export const LEDGER_NAME = 'bravo-usage';
export const LEDGER_LABEL = 'bravo.kudo.dev/usage';
export const LEDGER_KEY = 'ledger.json';

export function formatLedger(ledger: UsageLedger): string {
  return JSON.stringify(ledger);
}

/** Reads a ledger. A person can write anything there: entries that are none are left out. */
export function parseLedger(text: string | undefined): UsageLedger {
  const value = text === undefined ? undefined : parseJsonObject(text);
  if (value === undefined) return EMPTY_LEDGER;
  return {
    checkedMs: amount(value.checkedMs) ?? 0,
    open: entries(value.open, openLife),
    ended: Array.isArray(value.ended) ? value.ended.filter((uid) => typeof uid === 'string') : [],
    months: entries(value.months, (month, key) => (/^\d{4}-\d{2}$/.test(key) ? sums(month) : undefined)),
  };
}

function entries<T>(value: JsonValue | undefined, read: (member: JsonValue, key: string) => T | undefined) {
  const found: { [key: string]: T } = {};
  if (!isJsonObject(value)) return found;
  for (const [key, member] of Object.entries(value)) {
    const result = key === '__proto__' ? undefined : read(member, key);
    if (result !== undefined) found[key] = result;
  }
  return found;
}

function openLife(value: JsonValue): OpenLife | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, operator } = value;
  const fromMs = amount(value.fromMs);
  if (typeof name !== 'string' || typeof operator !== 'string' || fromMs === undefined) return undefined;
  return { name, operator, fromMs, rates: entries(value.rates, rate) };
}

function rate(value: JsonValue): Rate | undefined {
  const found = isJsonObject(value) ? amount(value.value) : undefined;
  return found === undefined ? undefined : { unit: unitOf(value), value: found };
}

function sums(value: JsonValue): MonthSums {
  return entries(value, (operator) => entries(operator, meterSum));
}

function meterSum(value: JsonValue): MeterSum | undefined {
  const valueMs = isJsonObject(value) ? amount(value.valueMs) : undefined;
  return valueMs === undefined ? undefined : { unit: unitOf(value), valueMs };
}

function unitOf(value: JsonValue): string {
  const unit = (value as JsonObject).unit;
  return typeof unit === 'string' ? unit : '';
}

function amount(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
