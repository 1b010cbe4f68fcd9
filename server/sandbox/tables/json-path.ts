import { isJsonObject, type JsonValue } from '@/lib/json/json';

/**
 * The JSONPath of printer columns: `.a.b`, `['a.b']`, `[0]`, `[-1]`, `[*]`, `[?(@.type=="Ready")]` (client-go util/jsonpath, the
 * part that columns use). What does not parse finds nothing.
 */
export function findByPath(root: JsonValue, path: string): JsonValue[] {
  let found: JsonValue[] = [root];
  for (const step of steps(path)) found = found.flatMap(step);
  return found;
}

type Step = (value: JsonValue) => JsonValue[];

const nothing: Step = () => [];

const NAME = /^\.?((?:\\.|[^.[\\\]])+)/;
/** A bracket and what is inside, quotes respected. */
const BRACKET = /^\[((?:'[^']*'|"[^"]*"|[^'"\]])*)\]/;

function steps(path: string): Step[] {
  const result: Step[] = [];
  let rest = path.trim().replace(/^\$/, '');
  while (rest !== '' && rest !== '.') {
    const [name, bracketed] = [NAME.exec(rest), BRACKET.exec(rest)];
    if (bracketed !== null) result.push(bracket(bracketed[1]?.trim() ?? ''));
    else if (name !== null) result.push(member(name[1]?.replace(/\\(.)/g, '$1') ?? ''));
    rest = rest.slice((bracketed ?? name)?.[0].length);
    if (bracketed === null && name === null) return [nothing];
  }
  return result;
}

function bracket(inside: string): Step {
  if (inside === '*') return children;
  if (/^-?\d+$/.test(inside)) return at(Number(inside));
  const quoted = /^(['"])(.*)\1$/s.exec(inside);
  if (quoted?.[2] !== undefined) return member(quoted[2]);
  const filter = /^\?\(\s*@(.*?)\s*(==|!=)\s*(.+?)\s*\)$/s.exec(inside);
  if (filter === null) return nothing;
  const [, left = '', operator = '', right = ''] = filter;
  const wanted = literal(right);
  return (value) =>
    children(value).filter((each) =>
      findByPath(each, left).some((found) => (found === wanted) === (operator === '==')),
    );
}

function literal(text: string): JsonValue {
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted?.[2] !== undefined) return quoted[2];
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function member(key: string): Step {
  if (key === '*') return children;
  return (value) => {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return [];
    const found = value[key];
    return found === undefined ? [] : [found];
  };
}

function at(index: number): Step {
  return (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

const children: Step = (value) => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};
