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

function steps(path: string): Step[] {
  const result: Step[] = [];
  let rest = path.trim().replace(/^\$/, '');
  while (rest !== '') {
    const name = /^\.?((?:\\.|[^.[\\\]])+)/.exec(rest);
    if (rest.startsWith('[')) {
      const end = closing(rest);
      if (end < 0) return [nothing];
      result.push(bracket(rest.slice(1, end).trim()));
      rest = rest.slice(end + 1);
    } else if (name?.[1] !== undefined) {
      const key = name[1].replace(/\\(.)/g, '$1');
      result.push(key === '*' ? children : member(key));
      rest = rest.slice(name[0].length);
    } else if (rest === '.') {
      return result;
    } else {
      return [nothing];
    }
  }
  return result;
}

/** The bracket that ends the one at the start, quotes respected. */
function closing(text: string): number {
  let quote = '';
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[') depth++;
    else if (char === ']' && --depth === 0) return index;
  }
  return -1;
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
