import { arrayAt, isJsonObject, objectAt, stringAt } from '@/lib/json/json';
import { type LabelOperator, type LabelRequirement, SelectorError } from './label-requirement';
import { LabelParser } from './selector-parser';

export { type LabelOperator, type LabelRequirement, SelectorError } from './label-requirement';

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
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
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
export function labelSelectorRequirements(selector: unknown): readonly LabelRequirement[] | undefined {
  if (!isJsonObject(selector)) return undefined;
  const fromLabels = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]): LabelRequirement => {
    return { key, operator: 'in', values: [String(value)] };
  });
  const fromExpressions = arrayAt(selector, 'matchExpressions').map((expression): LabelRequirement => {
    const values = arrayAt(expression, 'values').map(String);
    return {
      key: stringAt(expression, 'key') ?? '',
      operator: operatorOf(stringAt(expression, 'operator')),
      values,
    };
  });
  return [...fromLabels, ...fromExpressions];
}

/** True when a `LabelSelector` object selects the labels. */
export function matchesLabelSelector(selector: unknown, labels: Labels): boolean {
  const requirements = labelSelectorRequirements(selector);
  return requirements !== undefined && matchesLabels(requirements, labels);
}

function operatorOf(word: string | undefined): LabelOperator {
  switch (word) {
    case 'In':
      return 'in';
    case 'NotIn':
      return 'notin';
    case 'Exists':
      return 'exists';
    case 'DoesNotExist':
      return '!';
    default:
      throw new SelectorError(`"${word ?? ''}" is not a valid label selector operator`);
  }
}

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
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
      return values.length === 1 && values[0] !== undefined
        ? `${key}=${values[0]}`
        : `${key} in (${[...values].sort().join(',')})`;
    case 'notin':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'gt':
      return `${key}>${values[0] ?? ''}`;
    case 'lt':
      return `${key}<${values[0] ?? ''}`;
    default:
      return `${key}${operator}${values[0] ?? ''}`;
  }
}

/** One condition on one field: `metadata.name=a`, `status.phase!=Running`. */
export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads a field selector. Throws SelectorError (apimachinery fields.ParseSelector). */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  return splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text));
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let current = '';
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '\\') {
      current += char + (text[index + 1] ?? '');
      index++;
    } else if (char === ',') {
      terms.push(current);
      current = '';
    } else {
      current += char;
    }
  }
  return [...terms, current];
}

function parseTerm(term: string, selector: string): FieldRequirement {
  for (let index = 0; index < term.length; index++) {
    if (term[index] === '\\') {
      index++;
      continue;
    }
    const operator = ['!=', '==', '='].find((each) => term.startsWith(each, index));
    if (operator === undefined) continue;
    const value = unescapeValue(term.slice(index + operator.length));
    return { field: term.slice(0, index), equal: operator !== '!=', value };
  }
  throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescapeValue(text: string): string {
  let value = '';
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (char === '\\') {
      const next = text[++index];
      if (next !== '\\' && next !== ',' && next !== '=') {
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${next ?? ''}`);
      }
      value += next;
    } else if (char === ',' || char === '=') {
      throw new SelectorError(`invalid field selector: unescaped character in value: '${char}'`);
    } else {
      value += char;
    }
  }
  return value;
}
