import { type List, type Redirect, SyntaxProblem, type Word, type WordPart } from './syntax';
import { WordReader } from './word-reader';

/** The descriptor of `&>`: standard output and standard error. */
const BOTH = -1;

interface PendingDocument {
  readonly redirect: { target: Word };
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly literal: boolean;
}

/** Reads a script from left to right: blanks, comments, reserved words, words, redirections and here-documents. */
export class ShellScanner {
  protected at = 0;
  private readonly documents: PendingDocument[] = [];

  /** @param parseScript reads the script inside a command substitution */
  constructor(
    protected readonly text: string,
    private readonly parseScript: (script: string) => List,
  ) {}

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
    const match = /^(\d?)(<<-|<<|>>|>&|<&|&>|>\||>|<)/.exec(this.text.slice(this.at, this.at + 4));
    if (match === null) return undefined;
    const [whole, fd = '', operator = ''] = match;
    this.at += whole.length;
    this.blanks();
    if (operator === '<<' || operator === '<<-') return this.hereDocument(operator === '<<-');
    const target = this.wordOrFail();
    const plain = operator === '>|' || operator === '&>' ? '>' : operator;
    const number = fd === '' ? (plain.startsWith('<') ? 0 : 1) : Number(fd);
    if (plain === '<' || plain === '>' || plain === '>>' || plain === '>&' || plain === '<&') {
      return { fd: operator === '&>' ? BOTH : number, operator: plain, target };
    }
    return this.unexpected();
  }

  private hereDocument(stripTabs: boolean): Redirect {
    const word = this.wordOrFail();
    const delimiter = word.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    const literal = word.parts.some((part) => part.kind === 'text' && part.quoted);
    const redirect = { fd: 0, operator: '<<' as const, target: { parts: [] as WordPart[] } };
    this.documents.push({ redirect, delimiter, stripTabs, literal });
    return redirect;
  }

  /** After a newline: the bodies of the here-documents that were announced on the line. */
  private readDocuments(): void {
    for (const document of this.documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.atEnd()) break;
        const end = this.text.indexOf('\n', this.at);
        const raw = this.text.slice(this.at, end < 0 ? undefined : end);
        this.at = end < 0 ? this.text.length : end + 1;
        const line = document.stripTabs ? raw.replace(/^\t+/, '') : raw;
        if (line === document.delimiter) break;
        lines.push(line);
      }
      const body = lines.map((line) => `${line}\n`).join('');
      const parts: WordPart[] = document.literal
        ? [{ kind: 'text', text: body, quoted: true }]
        : this.reader(body, 0).quotedText(undefined);
      document.redirect.target = { parts };
    }
  }

  protected word(): Word | undefined {
    const reader = this.reader(this.text, this.at);
    const word = reader.word();
    this.at = reader.at;
    return word;
  }

  protected wordOrFail(): Word {
    this.blanks();
    return this.word() ?? this.unexpected();
  }

  private reader(text: string, at: number): WordReader {
    return new WordReader(text, at, this.parseScript);
  }

  /** A reserved word or brace at this place, unquoted and standing alone. */
  protected keyword(): string | undefined {
    this.blanks();
    return /^(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|function|\{|\}|!)(?=$|[\s;&|()<>])/.exec(
      this.text.slice(this.at, this.at + 16),
    )?.[0];
  }

  protected take(word: string): void {
    this.skipSeparators();
    if (this.keyword() !== word) this.unexpected(word);
    this.at += word.length;
  }

  protected expect(text: string): void {
    this.skipSeparators();
    if (!this.peek(text)) this.unexpected(text);
    this.at += text.length;
  }

  protected blanks(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === ' ' || char === '\t' || char === '\r') this.at++;
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
      else if (char === '#') while (!this.atEnd() && !this.peek('\n')) this.at++;
      else return;
    }
  }

  protected skipNewlines(): void {
    for (this.blanks(); this.peek('\n'); this.blanks()) this.newline();
  }

  protected skipSeparators(): void {
    for (this.blanks(); this.peek('\n') || (this.peek(';') && !this.peek(';;')); this.blanks()) {
      if (this.peek('\n')) this.newline();
      else this.at++;
    }
  }

  private newline(): void {
    this.at++;
    this.readDocuments();
  }

  protected peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  protected atEnd(): boolean {
    return this.at >= this.text.length;
  }

  protected unexpected(wanted?: string): never {
    const found = this.atEnd() ? 'end of file' : `"${this.text.slice(this.at, this.at + 10).split(/\s/)[0]}"`;
    throw new SyntaxProblem(
      `syntax error: unexpected ${found}${wanted === undefined ? '' : ` (expecting "${wanted}")`}`,
    );
  }
}
