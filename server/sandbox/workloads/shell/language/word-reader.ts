import { type List, SyntaxProblem, type Word, type WordPart } from './syntax';

const NAME = /[A-Za-z_]\w*/y;
const OPERATOR = /:?[-=+?]|##?|%%?/y;

/** Reads words of a script character by character: quotes, variables, substitutions. */
export class WordReader {
  /** @param parseScript gets the script inside a command substitution and gives its tree */
  constructor(
    private readonly text: string,
    public at: number,
    private readonly parseScript: (script: string) => List,
  ) {}

  /** A word up to an unquoted blank, newline or operator; undefined when there is none here. */
  word(): Word | undefined {
    const parts = this.parts(' \t\n;&|<>()');
    return parts.length === 0 ? undefined : parts;
  }

  /** The inside of double quotes or of a here-document: only `$`, backquotes and backslashes count. */
  quotedText(end: string | undefined): WordPart[] {
    const parts: WordPart[] = [];
    for (;;) {
      const text = this.match(/(?:[^$`\\"]+|\\[\s\S])+/y);
      const escapes = end === undefined ? /\\([$`\\\n])/g : /\\([$`"\\\n])/g;
      if (text !== undefined) {
        parts.push({
          kind: 'text',
          text: text.replace(escapes, (_, char: string) => char.replace('\n', '')),
          quoted: true,
        });
      }
      const char = this.text[this.at];
      if (char === undefined && end !== undefined) throw new SyntaxProblem('unterminated quoted string');
      if (char === end) return parts;
      if (char === '$' || char === '`') parts.push(this.dollar(true));
      else {
        this.at++;
        parts.push({ kind: 'text', text: char ?? '', quoted: true });
      }
    }
  }

  /** Everything up to one of these characters that is not quoted. */
  private parts(stops: string): WordPart[] {
    const parts: WordPart[] = [];
    let text = '';
    for (let char = this.text[this.at]; char !== undefined && !stops.includes(char); char = this.text[this.at]) {
      if (!'\'"\\$`'.includes(char)) {
        text += char;
        this.at++;
        continue;
      }
      if (text !== '') parts.push({ kind: 'text', text, quoted: false });
      text = '';
      parts.push(...this.special(char));
    }
    return text === '' ? parts : [...parts, { kind: 'text', text, quoted: false }];
  }

  /** At a quote, a backslash, a `$` or a backquote outside of quotes. */
  private special(char: string): WordPart[] {
    if (char === '$' || char === '`') return [this.dollar(false)];
    this.at++;
    if (char === '\\') {
      const text = this.text[this.at++] ?? '';
      return text === '' || text === '\n' ? [] : [{ kind: 'text', text, quoted: true }];
    }
    if (char === '"') {
      const inner = this.quotedText('"');
      this.at++;
      return inner.length === 0 ? [{ kind: 'text', text: '', quoted: true }] : inner;
    }
    const end = this.text.indexOf("'", this.at);
    if (end < 0) throw new SyntaxProblem('unterminated quoted string');
    const text = this.text.slice(this.at, end);
    this.at = end + 1;
    return [{ kind: 'text', text, quoted: true }];
  }

  /** At a `$` or a backquote. */
  private dollar(quoted: boolean): WordPart {
    if (this.text[this.at++] === '`') return this.backquoted(quoted);
    if (this.text.startsWith('((', this.at)) return this.arithmetic();
    if (this.text[this.at] === '(') return { kind: 'command', list: this.parseScript(this.balanced()), quoted };
    if (this.text[this.at] === '{') return this.braces(quoted);
    const name = this.match(NAME) ?? this.match(/[?#@*$!\d-]/y);
    return name === undefined ? { kind: 'text', text: '$', quoted } : { kind: 'variable', name, quoted };
  }

  private backquoted(quoted: boolean): WordPart {
    const script = this.match(/(?:[^`\\]|\\[\s\S])*/y) ?? '';
    if (this.text[this.at++] !== '`') throw new SyntaxProblem('unterminated backquote substitution');
    return { kind: 'command', list: this.parseScript(script.replace(/\\([$`\\])/g, '$1')), quoted };
  }

  private arithmetic(): WordPart {
    const inner = this.balanced();
    if (!inner.endsWith(')')) throw new SyntaxProblem('missing "))"');
    const reader = new WordReader(inner.slice(1, -1), 0, this.parseScript);
    return { kind: 'arithmetic', expression: reader.quotedText(undefined) };
  }

  private braces(quoted: boolean): WordPart {
    this.at++;
    const isLength = this.match(/#(?!\})/y) !== undefined;
    const name = this.match(NAME) ?? this.match(/\d+|[?#@*$!-]/y);
    if (name === undefined) throw new SyntaxProblem('bad substitution');
    const operator = isLength ? 'length' : this.match(OPERATOR);
    const argument = operator === undefined ? undefined : this.parts('}');
    if (this.text[this.at] !== '}') throw new SyntaxProblem('bad substitution');
    this.at++;
    return { kind: 'variable', name, quoted, operator, argument };
  }

  /** The text between the parenthesis here and the one that closes it, quotes respected; goes on behind it. */
  private balanced(): string {
    const start = this.at + 1;
    let depth = 0;
    for (;;) {
      const token = this.match(/[^()'"\\]+|\\[\s\S]?|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[()]/y);
      if (token === undefined) throw new SyntaxProblem('missing ")"');
      if (token === '(') depth++;
      if (token === ')' && --depth === 0) return this.text.slice(start, this.at - 1);
    }
  }

  /** What the pattern, which is sticky, matches at this place; the reader goes on behind it. */
  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}
