import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { PARAMETER_SCHEMA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion } from '@/lib/kudo/types';

/**
 * What params.yaml says of its parameters beyond what KUDO's CRD can hold. It travels as JSON in the annotation
 * `bravo.kudo.dev/parameter-schema` of the OperatorVersion:
 *
 * `{"groups":[{"name","displayName","description","priority"}],"parameters":{NAME:{"group","displayName","hint","advanced","secret","picker","reference":{"operator","version","operatorVersion"}}}}`
 *
 * Every key may be absent. What does not have this shape is left out: the annotation can be edited by anybody.
 */
export interface ParameterSchema {
  readonly groups: readonly ParameterGroup[];
  readonly parameters: ReadonlyMap<string, ParameterTraits>;
}

export interface ParameterGroup {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** Groups are shown in ascending order; params.yaml calls it `prio`. */
  readonly priority?: number;
}

export interface ParameterTraits {
  readonly group?: string;
  readonly displayName?: string;
  readonly hint?: string;
  readonly advanced?: boolean;
  readonly secret?: boolean;
  readonly picker?: ParameterPicker;
  /** What a parameter of type `instance` may name. */
  readonly reference?: ReferenceTrait;
}

/** Absent members ask for nothing. */
export interface ReferenceTrait {
  readonly operator?: string;
  /** A range of the version of the application, or of the operator when it has none: `>=3.4 <4`. */
  readonly version?: string;
  /** A range of the version of the operator. */
  readonly operatorVersion?: string;
}

/** What the value of a parameter is chosen from, beside free text. `backup`: the backups of the Instance, as its runs made them. */
export const PARAMETER_PICKERS = ['backup'] as const;
export type ParameterPicker = (typeof PARAMETER_PICKERS)[number];

/** The picker of that name; undefined for any other text. */
export function pickerOf(name: string | undefined): ParameterPicker | undefined {
  return PARAMETER_PICKERS.find((known) => known === name);
}

const EMPTY: ParameterSchema = { groups: [], parameters: new Map() };

/** The schema of an OperatorVersion; an empty one when there is none or it cannot be read. */
export function parameterSchemaOf(operatorVersion: OperatorVersion | undefined): ParameterSchema {
  const text = operatorVersion?.metadata.annotations?.[PARAMETER_SCHEMA_ANNOTATION];
  return text === undefined ? EMPTY : parseParameterSchema(text);
}

/** Reads the annotation's JSON, leniently. */
export function parseParameterSchema(text: string): ParameterSchema {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return EMPTY;
  }
  if (!isJsonObject(value)) return EMPTY;
  const groups = Array.isArray(value.groups) ? value.groups.flatMap(readGroup) : [];
  const parameters = new Map<string, ParameterTraits>();
  if (isJsonObject(value.parameters)) {
    for (const [name, traits] of Object.entries(value.parameters)) {
      if (isJsonObject(traits)) parameters.set(name, readTraits(traits));
    }
  }
  return { groups, parameters };
}

/** The annotation's JSON, or undefined when there is nothing to say. */
export function formatParameterSchema(schema: ParameterSchema): string | undefined {
  const parameters = [...schema.parameters].filter(([, traits]) => Object.keys(traits).length > 0);
  if (schema.groups.length === 0 && parameters.length === 0) return undefined;
  return JSON.stringify({ groups: schema.groups, parameters: Object.fromEntries(parameters) });
}

function readGroup(value: JsonValue): ParameterGroup[] {
  if (!isJsonObject(value) || typeof value.name !== 'string') return [];
  return [
    {
      name: value.name,
      ...text(value, 'displayName'),
      ...text(value, 'description'),
      ...(typeof value.priority === 'number' ? { priority: value.priority } : {}),
    },
  ];
}

function readTraits(value: JsonObject): ParameterTraits {
  return {
    ...text(value, 'group'),
    ...text(value, 'displayName'),
    ...text(value, 'hint'),
    ...flag(value, 'advanced'),
    ...flag(value, 'secret'),
    ...picker(value),
    ...(isJsonObject(value.reference) ? { reference: readReference(value.reference) } : {}),
  };
}

function readReference(value: JsonObject): ReferenceTrait {
  return { ...text(value, 'operator'), ...text(value, 'version'), ...text(value, 'operatorVersion') };
}

function text<K extends string>(value: JsonObject, key: K): { [P in K]?: string } {
  const found = value[key];
  return typeof found === 'string' ? ({ [key]: found } as { [P in K]: string }) : {};
}

function flag<K extends string>(value: JsonObject, key: K): { [P in K]?: boolean } {
  const found = value[key];
  return typeof found === 'boolean' ? ({ [key]: found } as { [P in K]: boolean }) : {};
}

function picker(value: JsonObject): Pick<ParameterTraits, 'picker'> {
  const found = typeof value.picker === 'string' ? pickerOf(value.picker) : undefined;
  return found === undefined ? {} : { picker: found };
}
