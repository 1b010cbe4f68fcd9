import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { parseDuration } from '../plan/deadlines';
import type { OperatorVersion } from '../types';
import { HEALTH_CHECK_KINDS, HEALTH_CHECK_MODES, type HealthCheck } from './types';

/**
 * The checks of an OperatorVersion as JSON: a list with the keys of operator.yaml (`period` and `timeout` as durations). An
 * annotation, because KUDO's CRD prunes fields that it does not know; KUDO's clients ignore both.
 */
export const HEALTH_CHECKS_ANNOTATION = 'bravo.kudo.dev/health-checks';

export const DEFAULT_PERIOD_MS = 30_000;
export const MIN_PERIOD_MS = 5_000;
export const DEFAULT_TIMEOUT_MS = 5_000;
export const MAX_TIMEOUT_MS = 60_000;

/** The annotation's JSON; undefined without checks. */
export function formatHealthChecks(checks: readonly HealthCheck[]): string | undefined {
  if (checks.length === 0) return undefined;
  return JSON.stringify(
    checks.map(({ periodMs, timeoutMs, ...check }) => ({
      ...check,
      period: `${periodMs}ms`,
      timeout: `${timeoutMs}ms`,
    })),
  );
}

/** The checks of an OperatorVersion, in the order of the package. */
export function healthChecksOf(operatorVersion: OperatorVersion | undefined): readonly HealthCheck[] {
  return parseHealthChecks(operatorVersion?.metadata.annotations?.[HEALTH_CHECKS_ANNOTATION]);
}

/** Reads the annotation leniently, because anybody can edit it: what is not a check is left out, times are kept within their limits. */
export function parseHealthChecks(text: string | undefined): readonly HealthCheck[] {
  if (text === undefined || text.length > limits.healthChecksChars) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(value)) return [];
  const checks = (value as JsonValue[]).flatMap((each) => (isJsonObject(each) ? readCheck(each) : []));
  const names = checks.map(({ name }) => name);
  return checks.filter(({ name }, index) => names.indexOf(name) === index).slice(0, limits.healthChecks);
}

function readCheck(value: JsonObject): HealthCheck[] {
  const name = text(value.name);
  const kind = HEALTH_CHECK_KINDS.find((each) => each === value.kind);
  if (name === undefined || !isCheckName(name) || kind === undefined) return [];
  const command = texts(value.command);
  if (kind === 'exec' ? command.length === 0 : text(value.port) === undefined) return [];
  const optional = {
    displayName: text(value.displayName),
    pods: labels(value.pods),
    container: text(value.container),
    command: kind === 'exec' ? command : undefined,
    port: text(value.port),
    path: text(value.path),
    scheme: text(value.scheme),
    message: text(value.message),
    enabled: text(value.enabled),
  };
  const check = {
    name,
    kind,
    mode: HEALTH_CHECK_MODES.find((each) => each === value.mode) ?? 'all',
    periodMs: within(value.period, DEFAULT_PERIOD_MS, { least: MIN_PERIOD_MS, most: MAX_PERIOD_MS }),
    timeoutMs: within(value.timeout, DEFAULT_TIMEOUT_MS, { least: MIN_TIMEOUT_MS, most: MAX_TIMEOUT_MS }),
    ...Object.fromEntries(Object.entries(optional).filter(([, member]) => member !== undefined)),
  };
  return [check as HealthCheck];
}

const MIN_TIMEOUT_MS = 1_000;
const MAX_PERIOD_MS = 24 * 60 * 60_000;

/** DNS label: the name is part of messages and of keys. */
export function isCheckName(name: string): boolean {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
}

/** The number of a port; undefined for anything else. */
export function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function labels(value: JsonValue | undefined): { [label: string]: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : [])),
  );
}

function within(
  value: JsonValue | undefined,
  byDefault: number,
  { least, most }: { least: number; most: number },
): number {
  const ms = parseDuration(text(value) ?? '') ?? byDefault;
  return Math.min(most, Math.max(least, ms));
}
