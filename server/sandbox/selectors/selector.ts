import { arrayAt, isJsonObject, objectAt, stringAt } from '@/lib/json/json';
import { type LabelOperator, LabelParser, type LabelRequirement, SelectorError } from './selector-parser';

export { type LabelRequirement, SelectorError } from './selector-parser';

export type Labels = { readonly [key: string]: string } | null | undefined;

/** Reads `app=web,tier in (a,b),!x`. The empty text has no requirements and selects everything. Throws SelectorError. */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  return new LabelParser(text).parse();
}

/** True when the labels meet every requirement. */
export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels): boolean {
  return requirements.every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels !== undefined && labels !== null && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
    case 'lt':
      return value !== undefined && compares(operator, value, values[0] ?? '');
  }
}

function compares(operator: 'gt' | 'lt', value: string, bound: string): boolean {
  if (!/^[+-]?\d+$/.test(value)) return false;
  return operator === 'gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/**
 * The requirements of a `LabelSelector` object (meta/v1: `matchLabels`, `matchExpressions`). An empty selector selects
 * everything; undefined or null selects nothing, and gives undefined.
 */
function labelSelectorRequirements(selector: unknown): readonly LabelRequirement[] | undefined {
  if (!isJsonObject(selector)) return undefined;
  const fromLabels = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]): LabelRequirement => {
    return { key, operator: 'in', values: [String(value)] };
  });
  const fromExpressions = arrayAt(selector, 'matchExpressions').map((expression): LabelRequirement => {
    const word = stringAt(expression, 'operator');
    const operator = OPERATORS.get(word);
    if (operator === undefined) throw new SelectorError(`"${word ?? ''}" is not a valid label selector operator`);
    return { key: stringAt(expression, 'key') ?? '', operator, values: arrayAt(expression, 'values').map(String) };
  });
  return [...fromLabels, ...fromExpressions];
}

/** True when a `LabelSelector` object selects the labels. */
export function matchesLabelSelector(selector: unknown, labels: Labels): boolean {
  const requirements = labelSelectorRequirements(selector);
  return requirements !== undefined && matchesLabels(requirements, labels);
}

const OPERATORS = new Map<string | undefined, LabelOperator>([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** A `LabelSelector` object as the text of a query: `app=web,tier in (a,b)` (meta/v1 FormatLabelSelector). */
export function formatLabelSelector(selector: unknown): string {
  const requirements = labelSelectorRequirements(selector);
  if (requirements === undefined || requirements.length === 0) return '<none>';
  return [...requirements]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(formatRequirement)
    .join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  if (operator === 'exists' || operator === '!') return operator === '!' ? `!${key}` : key;
  if (operator === 'in' && values.length === 1) return `${key}=${values[0]}`;
  return `${key} ${operator} (${[...values].sort().join(',')})`;
}

/** One condition on one field: `metadata.name=a`, `status.phase!=Running`. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads a field selector, where a backslash escapes. Throws SelectorError (apimachinery fields.ParseSelector). */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  const terms = text.match(/(?:\\.?|[^,\\])+/gs) ?? [];
  return terms.map((term) => {
    const [, field, operator, value = ''] = /^((?:\\.|[^\\])*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
    if (field === undefined) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
    return { field, equal: operator !== '!=', value: unescapeValue(value) };
  });
}

function unescapeValue(text: string): string {
  return text.replace(/\\?./gs, (part) => {
    const char = part.slice(1);
    if (part.startsWith('\\')) {
      if (char !== '' && '\\,='.includes(char)) return char;
      throw new SelectorError(`invalid field selector: invalid escape sequence: \\${char}`);
    }
    if (part === ',' || part === '=') {
      throw new SelectorError(`invalid field selector: unescaped character in value: '${part}'`);
    }
    return part;
  });
}
