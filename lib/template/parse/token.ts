import { quote, quotePrefix } from '../format/quote';

/** Kinds of tokens, as in Go's text/template/parse. */
export type TemplateTokenKind =
  | 'error'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'complex'
  | 'assign'
  | 'declare'
  | 'eof'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable'
  | Keyword;

export type Keyword =
  | 'block'
  | 'break'
  | 'continue'
  | 'dot'
  | 'define'
  | 'else'
  | 'end'
  | 'if'
  | 'nil'
  | 'range'
  | 'template'
  | 'with';

export interface TemplateToken {
  readonly kind: TemplateTokenKind;
  /** Byte offset in the template. */
  readonly at: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

/** Words of the language; `dot` is a token of its own (`.`). */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  (['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'nil', 'range', 'template', 'with'] as const).map(
    (word) => [word, word],
  ),
);

const KEYWORD_KINDS: ReadonlySet<string> = new Set([...KEYWORDS.keys(), 'dot']);

export function isKeyword(kind: TemplateTokenKind): boolean {
  return KEYWORD_KINDS.has(kind);
}

/** How an error message shows a token (Go's item.String). */
export function describeToken(token: TemplateToken, keyword: boolean): string {
  if (token.kind === 'eof') return 'EOF';
  if (token.kind === 'error') return token.text;
  if (keyword) return `<${token.text}>`;
  if (token.text.length > 10) return `${quotePrefix(token.text, 10)}...`;
  return quote(token.text);
}
