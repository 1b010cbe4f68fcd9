import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { ChartParameter, ChartValues } from './chart-values';
import { chartFields, KUBE_VERSION, RELEASE_FIELDS } from './evaluate-chart';
import type { Chart } from './read-chart';
import { goString, operandOf } from './writer';

/** What an expression of a chart means for a package. Only `code` exists when the package is rendered. */
export type Meaning =
  /** Helm's root in a chart; `prefix` is where the chart's values are in those of the whole. */
  | { readonly kind: 'root'; readonly chart: Chart; readonly prefix: readonly string[] }
  | { readonly kind: 'values'; readonly path: readonly string[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Meaning> }
  | {
      readonly kind: 'constant';
      readonly value: JsonValue /** A number as it is written. */;
      readonly literal?: string;
    }
  | TemplateCode;

/** An expression of the package's templates. */
export interface TemplateCode {
  readonly kind: 'code';
  /** As it stands between braces, `|` included. `ROOT` stands for the root: nothing, or `$` where the dot is another one. */
  readonly code: string;
  /** It depends on the dot, which another `with` or `range` changes. */
  readonly isOfDot: boolean;
  /** The text that it prints is one line. */
  readonly isLine: boolean;
  /** It is a value as JSON: in Bitnami's charts the way to see whether the value is a template. */
  readonly isOfValue?: boolean;
  /** It prints a missing member, where Go prints `<no value>`. */
  readonly printed?: string;
}

/** Stands for the way to KUDO's root in code; no text of a chart has it, because it is not a character of XML or YAML. */
export const ROOT = '\ufdd0';

/** Why a template of a chart cannot be a template of a package; `at` is a position in the file's text. */
export class Unconvertible extends Error {
  constructor(
    message: string,
    readonly at = -1,
    readonly file = '',
    readonly line = 0,
  ) {
    super(message);
  }
}

export function toCode(
  code: string,
  options: { isOfDot?: boolean; isLine?: boolean; printed?: string; isOfValue?: boolean } = {},
): TemplateCode {
  return { ...options, kind: 'code', code, isOfDot: options.isOfDot === true, isLine: options.isLine === true };
}

export const NOTHING: Meaning = { kind: 'constant', value: null };

/** The member of that name. @throws Unconvertible */
export function memberOf(meaning: Meaning, name: string, values: ChartValues): Meaning {
  switch (meaning.kind) {
    case 'root':
      return memberOfRoot(meaning, name);
    case 'values':
      return valueAt([...meaning.path, name], values);
    case 'object':
      return meaning.members.get(name) ?? NOTHING;
    case 'constant':
      if (meaning.value === null) throw new Unconvertible(`.${name} of a value that does not exist`);
      return isJsonObject(meaning.value) ? { kind: 'constant', value: meaning.value[name] ?? null } : NOTHING;
    case 'code': {
      const [operand, field] = [operandOf(meaning.code), goString(name)];
      const printed = `get ${operand} ${field}`;
      return toCode(`index ${operand} ${field}`, { isOfDot: meaning.isOfDot, isLine: true, printed });
    }
  }
}

/** A place in the values; `global` of a subchart is the one of the whole. */
export function valueAt(path: readonly string[], values: ChartValues): Meaning {
  const shared = path.indexOf('global');
  const at = shared > 0 && isSubchart(values.chart, path.slice(0, shared)) ? path.slice(shared) : path;
  const place = values.placeOf(at);
  if (place.kind === 'fixed') return { kind: 'constant', value: place.value };
  if (place.kind !== 'absent') return { kind: 'values', path: at };
  if (at !== path && values.placeOf(path).kind !== 'absent') return { kind: 'values', path };
  values.absent.add(path.join('.'));
  return NOTHING;
}

function isSubchart(chart: Chart, path: readonly string[]): boolean {
  let at: Chart | undefined = chart;
  for (const name of path) at = at?.subcharts.get(name);
  return at !== undefined;
}

function memberOfRoot(root: Extract<Meaning, { kind: 'root' }>, name: string): Meaning {
  switch (name) {
    case 'Values':
      return { kind: 'values', path: root.prefix };
    case 'Chart': {
      const fields = objectOf(chartFields(root.chart));
      if (root.prefix.length > 0) return fields;
      // The name and the version of the application are those of the operator.
      return { kind: 'object', members: new Map([...fields.members, ['AppVersion', appVersion(root.chart)]]) };
    }
    case 'Release':
      return {
        kind: 'object',
        members: new Map<string, Meaning>([
          ...objectOf(RELEASE_FIELDS).members,
          ['Name', toCode(`${ROOT}.Name`, { isLine: true })],
          ['Namespace', toCode(`${ROOT}.Namespace`, { isLine: true })],
        ]),
      };
    case 'Capabilities':
      return objectOf({ KubeVersion: KUBE_VERSION });
    case 'Template':
      return objectOf({ BasePath: `${root.chart.folder}templates` });
    default:
      throw new Unconvertible(`.${name} has no counterpart in a package`);
  }
}

function appVersion(chart: Chart): Meaning {
  const { AppVersion } = chartFields(chart);
  return AppVersion === '' ? { kind: 'constant', value: '' } : toCode(`${ROOT}.AppVersion`, { isLine: true });
}

function objectOf(value: JsonObject): Extract<Meaning, { kind: 'object' }> {
  const members = Object.entries(value).map(([name, member]) => [name, { kind: 'constant', value: member }] as const);
  return { kind: 'object', members: new Map<string, Meaning>(members) };
}

/** How the value of a parameter is used. */
export type Use = 'print' | 'value' | 'text';

/**
 * The code for a parameter. Integers, numbers and booleans are texts in templates of KUDO; where a function gets one, it is what
 * Helm has there: a float64 or a bool. `text`: for functions that take the text as well.
 */
export function parameterCode(parameter: ChartParameter, below: readonly string[], use: Use): TemplateCode {
  const whole = `${ROOT}.Params.${parameter.name}`;
  if (below.length > 0) {
    return below.reduce<TemplateCode>((code, name) => {
      const [operand, field] = [operandOf(code.code), goString(name)];
      return toCode(`index ${operand} ${field}`, { isLine: true, printed: `get ${operand} ${field}` });
    }, toCode(whole));
  }
  const isScalar = parameter.type !== 'map' && parameter.type !== 'array';
  const isLine = isScalar && !String(parameter.value).includes('\n');
  if (!isScalar || use !== 'value' || parameter.type === 'string') return toCode(whole, { isLine });
  return toCode(parameter.type === 'boolean' ? `eq ${whole} "true"` : `float64 ${whole}`, { isLine: true });
}

/** A constant as code. */
export function literalOf(value: JsonValue): string {
  if (typeof value === 'string') return goString(value);
  if (typeof value === 'number') return `float64 ${value}`;
  if (value === null) return 'nil';
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return ['list', ...value.map((each) => operandOf(literalOf(each)))].join(' ');
  const members = Object.entries(value).flatMap(([name, each]) => [goString(name), operandOf(literalOf(each))]);
  return ['dict', ...members].join(' ');
}

/** Go's truth of a constant. */
export function isTruthy(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
