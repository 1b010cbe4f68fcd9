import { getAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { displayTitle, ParameterList, upperSnake } from '../manifests/parameter-list';
import { isSecretParameter } from '../parameters/parameters';
import type { ParameterType } from '../types';
import { type Chart, coalescedValues } from './read-chart';
import { valueComments } from './value-comments';

/** A value of the chart that is a parameter of the package. */
export interface ChartParameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** What a path in the values is: a parameter (and names below it), a map of several parameters, or nothing. */
export type ValuePlace =
  | { readonly kind: 'parameter'; readonly parameter: ChartParameter; readonly below: readonly string[] }
  /** Its value is the one of the chart; see {@link ChartValues.fix}. */
  | { readonly kind: 'fixed'; readonly value: JsonValue }
  | { readonly kind: 'map'; readonly path: readonly string[] }
  | { readonly kind: 'absent' };

const key = (path: readonly string[]): string => JSON.stringify(path);

/**
 * The values of a chart as parameters. Each scalar and each list is one, and so is a map that is empty or that the templates use as a
 * whole; see {@link ChartValues.markWhole}.
 */
export class ChartValues {
  readonly values: JsonObject;
  private readonly wholes = new Set<string>();
  private readonly required = new Set<string>();
  private readonly fixed = new Set<string>();
  private readonly used = new Set<string>();
  private readonly list = new ParameterList();
  private readonly byPath = new Map<string, ChartParameter>();

  constructor(readonly chart: Chart) {
    this.values = coalescedValues(chart);
  }

  /** True when there are maps that became whole since the last call of {@link settle}. */
  hasNewWholes = false;

  /** The map at the path is used as a whole, so that it has to be one parameter. */
  markWhole(path: readonly string[]): void {
    if (this.wholes.has(key(path))) return;
    this.wholes.add(key(path));
    this.hasNewWholes = true;
  }

  /** The value becomes a constant of the templates: it cannot be a parameter. */
  fix(path: readonly string[]): void {
    this.fixed.add(key(path));
  }

  /** Paths that templates read and the values do not have, as people write them. */
  readonly absent = new Set<string>();

  /** The chart refuses an empty value: a parameter with an empty default becomes one that needs a value. */
  requireValue(parameter: ChartParameter): void {
    if (parameter.value === '' || parameter.value === null) this.required.add(key(parameter.path));
  }

  /** Begins a conversion with the wholes that are known now. */
  settle(): void {
    this.hasNewWholes = false;
    this.byPath.clear();
    this.used.clear();
    this.absent.clear();
  }

  /** @param path from the root of the chart's values, subcharts below their names */
  placeOf(path: readonly string[]): ValuePlace {
    let value: JsonValue = this.values;
    for (let length = 0; length <= path.length; length++) {
      const here = path.slice(0, length);
      if (length > 0) {
        const name = path[length - 1] ?? '';
        if (!isJsonObject(value) || !Object.hasOwn(value, name)) return { kind: 'absent' };
        value = value[name] ?? null;
      }
      if (this.fixed.has(key(here))) return { kind: 'fixed', value: getAt(value, ...path.slice(length)) ?? null };
      if (length > 0 && this.isOne(here, value)) {
        return { kind: 'parameter', parameter: this.parameterAt(here, value), below: path.slice(length) };
      }
    }
    return { kind: 'map', path };
  }

  private isOne(path: readonly string[], value: JsonValue): boolean {
    return !isJsonObject(value) || Object.keys(value).length === 0 || this.wholes.has(key(path));
  }

  private parameterAt(path: readonly string[], value: JsonValue): ChartParameter {
    const known = this.byPath.get(key(path));
    if (known !== undefined) return known;
    const type = typeOf(value, schemaAt(this.chart.schema, path));
    const made = { name: this.nameFor(path), type, path, value };
    this.byPath.set(key(path), made);
    return made;
  }

  private nameFor(path: readonly string[]): string {
    const name = upperSnake(path.join('_')) || 'VALUE';
    const names = new Set([...this.byPath.values()].map((each) => each.name));
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? name : `${name}_${count}`;
      if (!names.has(candidate)) return candidate;
    }
  }

  /** A template uses the parameter: only such parameters are written. */
  markUsed(parameter: ChartParameter): void {
    this.used.add(key(parameter.path));
  }

  /** The parameters that templates use, in the order of the values. */
  parameters(): ChartParameter[] {
    const found: ChartParameter[] = [];
    const visit = (value: JsonValue, path: readonly string[]): void => {
      if (path.length > 0 && this.isOne(path, value)) {
        if (this.used.has(key(path))) found.push(this.parameterAt(path, value));
      } else if (isJsonObject(value)) {
        for (const [name, member] of Object.entries(value)) visit(member, [...path, name]);
      }
    };
    visit(this.values, []);
    return found;
  }

  /** Adds the used parameters to a list, with descriptions from comments and from the schema. */
  entries(): ParameterList {
    const comments = commentsOf(this.chart, []);
    for (const parameter of this.parameters()) {
      const { path, type, value, name } = parameter;
      const schema = schemaAt(this.chart.schema, path);
      const description = comments.get(key(path)) ?? stringAt(schema, 'description');
      const members = Array.isArray(schema.enum) ? schema.enum.filter((each) => each !== null) : [];
      const isEnum = members.length > 0 && members.some((each) => each === value) && type === 'string';
      this.list.add({
        name,
        displayName: displayTitle(name),
        ...(description === undefined || description === '' ? {} : { description }),
        type,
        ...(this.required.has(key(path)) ? { required: true } : { default: defaultOf(value, type) }),
        ...(isEnum ? { enum: members } : {}),
        ...(isSecretParameter(name) && type === 'string' ? { secret: true } : {}),
        group: path.length === 1 ? 'general' : (path[0] ?? 'general'),
      });
    }
    return this.list;
  }
}

function commentsOf(chart: Chart, path: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, subchart] of chart.subcharts) {
    for (const [at, text] of commentsOf(subchart, [...path, name])) found.set(at, text);
  }
  for (const [at, text] of valueComments(chart.valuesText)) found.set(key([...path, ...at]), text);
  return found;
}

/** Numbers are texts in params.yaml, as KUDO's verification wants them; null is the empty text. */
function defaultOf(value: JsonValue, type: ParameterType): JsonValue {
  if (type === 'integer' || type === 'number') return value === null ? '' : String(value);
  if (value !== null) return value;
  return type === 'map' ? {} : type === 'array' ? [] : type === 'boolean' ? false : '';
}

function typeOf(value: JsonValue, schema: JsonObject): ParameterType {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isInteger(value) && schema.type !== 'number' ? 'integer' : 'number';
  if (value !== null) return 'string';
  const wanted = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  return wanted === 'object' ? 'map' : wanted === 'array' ? 'array' : 'string';
}

function schemaAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((at, name) => objectAt(at, 'properties', name), schema);
}
