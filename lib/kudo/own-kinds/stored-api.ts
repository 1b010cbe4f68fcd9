import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { parseReadObject, type ReadObject } from '@/lib/kudo/live-values/live-values';
import type { OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { API_ANNOTATION } from './names';
import {
  CONFIRMED_BY,
  type InstanceMapping,
  type OwnConditionRule,
  type OwnKind,
  type OwnRule,
  type OwnVersion,
  type RunMapping,
} from './types';

/** The annotation's JSON; undefined without kinds. */
export function formatApi(kinds: readonly OwnKind[]): string | undefined {
  return kinds.length === 0 ? undefined : JSON.stringify(kinds);
}

/** What was parsed last: a controller asks for the same text at each reconcile. */
const parsed = new Map<string, readonly OwnKind[]>();
const MAX_PARSED = 100;

/** The kinds that an OperatorVersion brings. Read leniently, because anybody can edit it: what is not a kind is left out. */
export function apiOf(operatorVersion: OperatorVersion | undefined): readonly OwnKind[] {
  const text = operatorVersion?.metadata.annotations?.[API_ANNOTATION];
  if (text === undefined || text.length > limits.ownKindsChars) return [];
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const kinds = parseApi(text);
  parsed.set(text, kinds);
  return kinds;
}

/** The kind of that name; undefined when the version does not bring it. */
export function ownKindOf(
  operatorVersion: OperatorVersion | undefined,
  { kind, group }: { readonly kind: string; readonly group: string },
): OwnKind | undefined {
  return apiOf(operatorVersion).find((each) => each.kind === kind && each.group === group);
}

function parseApi(text: string): OwnKind[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(value) ? (value as JsonValue[]).slice(0, limits.ownKinds).flatMap(readKind) : [];
}

function readKind(value: JsonValue): OwnKind[] {
  if (!isJsonObject(value)) return [];
  const [group, kind, plural, singular] = [value.group, value.kind, value.plural, value.singular].map(text);
  const versions = list(value.versions).flatMap(readVersion);
  const run = readRun(value.run);
  const instance = readInstance(value.instance);
  if (group === undefined || kind === undefined || plural === undefined || singular === undefined) return [];
  if (versions.length === 0 || (run === undefined) === (instance === undefined)) return [];
  const optional = {
    shortNames: Array.isArray(value.shortNames) ? texts(value.shortNames) : undefined,
    categories: Array.isArray(value.categories) ? texts(value.categories) : undefined,
    instance,
    run,
    status: isJsonObject(value.status) ? textMap(value.status) : undefined,
    rules: Array.isArray(value.rules) ? value.rules.flatMap(readRule) : undefined,
    objects: Array.isArray(value.objects) ? value.objects.flatMap(readObject) : undefined,
    conditions: Array.isArray(value.conditions) ? value.conditions.flatMap(readCondition) : undefined,
  };
  return [{ group, kind, plural, singular, versions, ...given(optional) } as OwnKind];
}

function readVersion(value: JsonValue): OwnVersion[] {
  if (!isJsonObject(value)) return [];
  const name = text(value.name);
  if (name === undefined || !isJsonObject(value.schema)) return [];
  const scale = isJsonObject(value.scale) ? textMap(value.scale) : undefined;
  const optional = {
    deprecated: value.deprecated === true ? true : undefined,
    printerColumns: Array.isArray(value.printerColumns) ? value.printerColumns.filter(isJsonObject) : undefined,
    scale,
  };
  const schema = value.schema as JsonSchema;
  return [
    { name, served: value.served !== false, storage: value.storage === true, schema, ...given(optional) } as OwnVersion,
  ];
}

function readInstance(value: JsonValue | undefined): InstanceMapping | undefined {
  return isJsonObject(value) ? { parameters: textMap(value.parameters) } : undefined;
}

function readRun(value: JsonValue | undefined): RunMapping | undefined {
  if (!isJsonObject(value)) return undefined;
  const [plan, instance] = [text(value.plan), text(value.instance)];
  if (plan === undefined || instance === undefined) return undefined;
  const confirmedBy = CONFIRMED_BY.find((each) => each === value.confirmedBy) ?? 'annotation';
  return { plan, instance, parameters: textMap(value.parameters), confirmedBy };
}

function readRule(value: JsonValue): OwnRule[] {
  if (!isJsonObject(value)) return [];
  const [rule, message, reason] = [value.rule, value.message, value.reason].map(text);
  if (rule === undefined || message === undefined) return [];
  return [{ rule, message, reason: reason ?? 'RuleNotMet', blocks: value.blocks !== false }];
}

function readObject(value: JsonValue): ReadObject[] {
  return isJsonObject(value) ? [parseReadObject(value)].filter((each) => each !== undefined) : [];
}

function readCondition(value: JsonValue): OwnConditionRule[] {
  if (!isJsonObject(value)) return [];
  const [type, rule] = [value.type, value.rule].map(text);
  return type === undefined || rule === undefined ? [] : [{ type, rule, message: text(value.message) ?? '' }];
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: readonly JsonValue[]): string[] {
  return value.filter((each) => typeof each === 'string');
}

function textMap(value: JsonValue | undefined): { [name: string]: string } {
  const members = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(members.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function given(members: object): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}
