import { type List, SyntaxProblem, type Word, type WordPart } from './syntax';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;
const SPECIAL = '?#@*$!0123456789-';
const OPERATOR = /^(:-|:=|:\+|:\?|##|#|%%|%|\/\/|\/|-|=|\+|\?)/;

/** Reads a command substitution: gets the script between the parentheses and gives its tree. */
export type ScriptParser = (script: string) => List;

/** Reads words of a script character by character: quotes, variables, substitutions. */
export class WordReader {
  constructor(
    private readonly text: string,
    public at: number,
    private readonly parseScript: ScriptParser,
  ) {}

  /** A word up to an unquoted blank, newline or operator; undefined when there is none here. */
  word(): Word | undefined {
    const parts = this.parts((char) => ' \t\n;&|<>()'.includes(char));
    return parts.length === 0 ? undefined : { parts };
  }

  /** Everything up to a closing character at this level, e.g. the argument of `${X:-…}`. */
  until(end: string): Word {
    return { parts: this.parts((char) => char === end) };
  }

  /** The inside of double quotes or of a here-document: only `$`, backquotes and backslashes count. */
  quotedText(end: string | undefined): WordPart[] {
    const parts: WordPart[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ kind: 'text', text, quoted: true });
      text = '';
    };
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) {
        if (end !== undefined) throw new SyntaxProblem('unterminated quoted string');
        break;
      }
      if (char === end) break;
      if (char === '\\') {
        const next = this.text[this.at + 1] ?? '';
        const escapes = end === undefined ? '$`\\\n' : '$`"\\\n';
        if (!escapes.includes(next) || next === '') text += `\\${next}`;
        else if (next !== '\n') text += next;
        this.at += 2;
      } else if (char === '$' || char === '`') {
        flush();
        parts.push(this.dollar(true));
      } else {
        text += char;
        this.at++;
      }
    }
    flush();
    return parts;
  }

  private parts(stop: (char: string) => boolean): WordPart[] {
    const parts: WordPart[] = [];
    let text = '';
    const flush = (): void => {
      if (text !== '') parts.push({ kind: 'text', text, quoted: false });
      text = '';
    };
    for (let char = this.text[this.at]; char !== undefined && !stop(char); char = this.text[this.at]) {
      if (char === "'") {
        flush();
        parts.push({ kind: 'text', text: this.singleQuoted(), quoted: true });
      } else if (char === '"') {
        flush();
        this.at++;
        const inner = this.quotedText('"');
        this.at++;
        parts.push(...(inner.length === 0 ? [{ kind: 'text', text: '', quoted: true } as const] : inner));
      } else if (char === '\\') {
        const next = this.text[this.at + 1];
        this.at += 2;
        if (next !== undefined && next !== '\n') {
          flush();
          parts.push({ kind: 'text', text: next, quoted: true });
        }
      } else if (char === '$' || char === '`') {
        flush();
        parts.push(this.dollar(false));
      } else {
        text += char;
        this.at++;
      }
    }
    flush();
    return parts;
  }

  private singleQuoted(): string {
    const end = this.text.indexOf("'", this.at + 1);
    if (end < 0) throw new SyntaxProblem('unterminated quoted string');
    const text = this.text.slice(this.at + 1, end);
    this.at = end + 1;
    return text;
  }

  /** At a `$` or a backquote. */
  private dollar(quoted: boolean): WordPart {
    if (this.text[this.at] === '`') return this.backquoted(quoted);
    const rest = this.text.slice(this.at + 1, this.at + 3);
    if (rest === '((') return this.arithmetic();
    if (rest.startsWith('(')) {
      const script = this.balanced(this.at + 1, '(', ')');
      this.at += 1 + script.length + 2;
      return { kind: 'command', list: this.parseScript(script), quoted };
    }
    if (rest.startsWith('{')) return this.braces(quoted);
    const name = NAME.exec(this.text.slice(this.at + 1, this.at + 257))?.[0];
    if (name !== undefined) {
      this.at += 1 + name.length;
      return { kind: 'variable', name, quoted };
    }
    const special = rest[0];
    if (special !== undefined && SPECIAL.includes(special)) {
      this.at += 2;
      return { kind: 'variable', name: special, quoted };
    }
    this.at++;
    return { kind: 'text', text: '$', quoted };
  }

  private backquoted(quoted: boolean): WordPart {
    let script = '';
    let at = this.at + 1;
    for (; this.text[at] !== '`'; at++) {
      if (at >= this.text.length) throw new SyntaxProblem('unterminated backquote substitution');
      if (this.text[at] === '\\' && '$`\\'.includes(this.text[at + 1] ?? ' ')) at++;
      script += this.text[at];
    }
    this.at = at + 1;
    return { kind: 'command', list: this.parseScript(script), quoted };
  }

  private arithmetic(): WordPart {
    const inner = this.balanced(this.at + 2, '(', ')');
    this.at += 2 + inner.length + 2;
    if (this.text[this.at] !== ')') throw new SyntaxProblem('missing "))"');
    this.at++;
    const reader = new WordReader(inner, 0, this.parseScript);
    return { kind: 'arithmetic', expression: { parts: reader.quotedText(undefined) } };
  }

  private braces(quoted: boolean): WordPart {
    this.at += 2;
    const isLength = this.text[this.at] === '#' && this.text[this.at + 1] !== '}';
    if (isLength) this.at++;
    const rest = this.text.slice(this.at, this.at + 256);
    const name =
      NAME.exec(rest)?.[0] ?? /^\d+/.exec(rest)?.[0] ?? (SPECIAL.includes(rest[0] ?? ' ') ? rest[0] : undefined);
    if (name === undefined) throw new SyntaxProblem('bad substitution');
    this.at += name.length;
    let operator = isLength ? 'length' : undefined;
    let argument: Word | undefined;
    if (this.text[this.at] !== '}') {
      operator = OPERATOR.exec(this.text.slice(this.at, this.at + 2))?.[0];
      if (operator === undefined) throw new SyntaxProblem('bad substitution');
      this.at += operator.length;
      argument = this.until('}');
    }
    if (this.text[this.at] !== '}') throw new SyntaxProblem('missing "}"');
    this.at++;
    return { kind: 'variable', name, quoted, operator, argument };
  }

  /** The text between a bracket and the one that closes it, quotes respected. */
  private balanced(open: number, opening: string, closing: string): string {
    let depth = 0;
    let quote = '';
    for (let at = open; at < this.text.length; at++) {
      const char = this.text[at];
      if (char === '\\' && quote !== "'") at++;
      else if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === "'" || char === '"') quote = char;
      else if (char === opening) depth++;
      else if (char === closing && --depth === 0) return this.text.slice(open + 1, at);
    }
    throw new SyntaxProblem(`missing "${closing}"`);
  }
}
