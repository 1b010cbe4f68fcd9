import { type List, type Redirect, SyntaxProblem, type Word } from './syntax';
import { WordReader } from './word-reader';

const KEYWORD = /(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|function|\{|\}|!)(?=$|[\s;&|()<>])/y;

interface PendingDocument {
  readonly redirect: Redirect;
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly literal: boolean;
}

/** Reads a script from left to right: blanks, comments, reserved words, words, redirections and here-documents. */
export class ShellScanner {
  protected at = 0;
  private documents: PendingDocument[] = [];

  /** @param parseScript reads the script inside a command substitution */
  constructor(
    protected readonly text: string,
    private readonly parseScript: (script: string) => List,
  ) {}

  /** What the pattern, which is sticky, matches at this place; the reader goes on behind it. */
  protected match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    this.at += match?.[0].length ?? 0;
    return match;
  }

  protected redirects(): Redirect[] {
    const found: Redirect[] = [];
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      if (redirect === undefined) return found;
      found.push(redirect);
    }
  }

  protected redirect(): Redirect | undefined {
    const match = this.match(/(\d?)(<<-|<<|>>|>&|<&|&>|>\||>|<)/y);
    if (match === undefined) return undefined;
    const [, fd = '', sign = ''] = match;
    const target = this.wordOrFail();
    if (sign.startsWith('<<')) {
      const redirect = { fds: [0], operator: '<<', target: [] };
      const delimiter = target.map((part) => (part.kind === 'text' ? part.text : '')).join('');
      const literal = target.some((part) => part.kind === 'text' && part.quoted);
      this.documents.push({ redirect, delimiter, stripTabs: sign === '<<-', literal });
      return redirect;
    }
    const operator = sign === '>|' || sign === '&>' ? '>' : sign;
    const fds = sign === '&>' ? [1, 2] : [fd === '' ? Number(!operator.startsWith('<')) : Number(fd)];
    return { fds, operator, target };
  }

  /** After a newline: the bodies of the here-documents that were announced on the line. */
  private readDocuments(): void {
    const documents = this.documents;
    this.documents = [];
    for (const { redirect, delimiter, stripTabs, literal } of documents) {
      let body = '';
      while (!this.atEnd()) {
        const raw = this.match(/[^\n]*\n?/y)?.[0] ?? '';
        const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
        if (line.replace(/\n$/, '') === delimiter) break;
        body += line.endsWith('\n') ? line : `${line}\n`;
      }
      redirect.target = literal
        ? [{ kind: 'text', text: body, quoted: true }]
        : new WordReader(body, 0, this.parseScript).quotedText(undefined);
    }
  }

  protected word(): Word | undefined {
    const reader = new WordReader(this.text, this.at, this.parseScript);
    const word = reader.word();
    this.at = reader.at;
    return word;
  }

  protected wordOrFail(): Word {
    this.blanks();
    return this.word() ?? this.unexpected();
  }

  /** A reserved word or brace at this place, unquoted and standing alone. */
  protected keyword(): string | undefined {
    this.blanks();
    KEYWORD.lastIndex = this.at;
    return KEYWORD.exec(this.text)?.[0];
  }

  /** Goes behind a reserved word if it is the next one. */
  protected takes(word: string): boolean {
    if (this.keyword() !== word) return false;
    this.at += word.length;
    return true;
  }

  protected take(word: string): void {
    this.skipSeparators();
    if (!this.takes(word)) this.unexpected(word);
  }

  protected expect(text: string): void {
    this.skipSeparators();
    if (!this.peek(text)) this.unexpected(text);
    this.at += text.length;
  }

  protected blanks(): void {
    this.match(/(?:[ \t\r]|\\\n|#[^\n]*)*/y);
  }

  /** Skips blanks and newlines; with `signs` also semicolons. */
  protected skipNewlines(signs = '\n'): void {
    for (this.blanks(); !this.atEnd() && signs.includes(this.text[this.at] ?? ' ') && !this.peek(';;'); this.blanks()) {
      if (this.text[this.at++] === '\n') this.readDocuments();
    }
  }

  protected skipSeparators(): void {
    this.skipNewlines('\n;');
  }

  protected peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  protected atEnd(): boolean {
    return this.at >= this.text.length;
  }

  protected unexpected(wanted?: string): never {
    const found = this.atEnd() ? 'end of file' : `"${this.text.slice(this.at, this.at + 10).split(/\s/)[0]}"`;
    const expecting = wanted === undefined ? '' : ` (expecting "${wanted}")`;
    throw new SyntaxProblem(`syntax error: unexpected ${found}${expecting}`);
  }
}
