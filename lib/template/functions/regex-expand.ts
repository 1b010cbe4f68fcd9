import type { Matcher } from 're2js';

const NAME = /^[\p{L}\p{Nd}_]+/u;

/** Go's Regexp.Expand: `$1`, `${name}` and `$$` in a replacement; the longest name is used, an unknown one is empty. */
export function expandTemplate(template: string, matcher: Matcher, names: ReadonlyMap<string, number>): string {
  let result = '';
  let rest = template;
  for (;;) {
    const dollar = rest.indexOf('$');
    if (dollar < 0) return result + rest;
    result += rest.slice(0, dollar);
    rest = rest.slice(dollar);
    if (rest[1] === '$') {
      result += '$';
      rest = rest.slice(2);
      continue;
    }
    const braces = rest[1] === '{';
    const name = NAME.exec(rest.slice(braces ? 2 : 1))?.[0];
    const end = name === undefined ? 0 : name.length + (braces ? 2 : 1);
    if (name === undefined || (braces && rest[end] !== '}')) {
      result += '$';
      rest = rest.slice(1);
      continue;
    }
    result += groupOf(matcher, names, name);
    rest = rest.slice(braces ? end + 1 : end);
  }
}

function groupOf(matcher: Matcher, names: ReadonlyMap<string, number>, name: string): string {
  // A number has no leading zeros.
  const index = /^(0|[1-9][0-9]{0,8})$/.test(name) ? Number(name) : names.get(name);
  if (index === undefined || index > matcher.groupCount()) return '';
  return matcher.group(index) ?? '';
}

/** Go lets two groups have one name, re2js does not: the later ones become plain groups, so that numbers stay. */
export function withoutRepeatedNames(pattern: string): string {
  const seen = new Set<string>();
  return pattern.replace(/\\.|\(\?P?<([^>=!]*)>/gs, (part, name: string | undefined) => {
    if (name === undefined) return part;
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? '(' : part;
  });
}
