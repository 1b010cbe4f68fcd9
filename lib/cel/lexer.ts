import type { Finding } from './expression-error';

export type CelTokenKind = 'bytes' | 'end' | 'float' | 'identifier' | 'int' | 'symbol' | 'string' | 'uint';

export interface CelToken {
  readonly kind: CelTokenKind;
  readonly text: string;
  readonly at: number;
}

const KEYWORDS = new Set(['true', 'false', 'null', 'in']);

const PATTERNS: readonly (readonly [CelTokenKind | 'space', RegExp])[] = [
  ['space', /(?:[\t\n\f\r ]+|\/\/[^\n]*)/y],
  ['bytes', /[bB](?:[rR]"""[\s\S]*?"""|[rR]'''[\s\S]*?''')/y],
  ['bytes', /[bB](?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?''')/y],
  ['bytes', /[bB](?:[rR]"[^"\n\r]*"|[rR]'[^'\n\r]*'|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*')/y],
  ['string', /(?:[rR]"""[\s\S]*?"""|[rR]'''[\s\S]*?''')/y],
  ['string', /(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?''')/y],
  ['string', /(?:[rR]"[^"\n\r]*"|[rR]'[^'\n\r]*'|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*')/y],
  ['float', /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /(?:0x[0-9a-fA-F]+|\d+)/y],
  ['identifier', /[A-Za-z_]\w*/y],
  ['symbol', /(?:==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}])/y],
];

/** The tokens of an expression; invalid ones are added to `findings` with cel-go's message and left out. */
export function tokensOf(text: string, findings: Finding[]): CelToken[] {
  const tokens: CelToken[] = [];
  let at = 0;
  while (at < text.length) {
    const found = tokenAt(text, at);
    if (found === undefined) {
      const bad = badPart(text, at);
      findings.push({ at, message: `Syntax error: token recognition error at: '${printable(bad)}'` });
      at += bad.length;
      continue;
    }
    if (found.kind !== 'space') tokens.push({ kind: kindOf(found.kind, found.text), text: found.text, at });
    at += found.text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: text.length });
  return tokens;
}

function tokenAt(text: string, at: number): { kind: CelTokenKind | 'space'; text: string } | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) return { kind, text: found[0] };
  }
  return undefined;
}

const kindOf = (kind: CelTokenKind, text: string): CelTokenKind =>
  kind === 'identifier' && KEYWORDS.has(text) ? 'symbol' : kind;

/** How far the lexer reads for an error: an unclosed string to its end, `=`, `&` and `|` with the next character. */
function badPart(text: string, at: number): string {
  const open = /[bB]?[rR]?["'][^\n\r]*/y;
  open.lastIndex = at;
  const quoted = open.exec(text);
  if (quoted !== null) return quoted[0];
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return '=&|'.includes(first) ? text.slice(at, at + 1 + [...text.slice(at + 1)].slice(0, 1).join('').length) : first;
}

const printable = (text: string) => text.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
