import {
  type AndOr,
  type Command,
  type List,
  type Pipeline,
  type Redirect,
  SyntaxProblem,
  type Word,
  type WordPart,
} from './syntax';
import { WordReader } from './word-reader';

const CLOSING = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);
const MAX_DEPTH = 50;
/** The descriptor of `&>`: standard output and standard error. */
const BOTH = -1;

/** Parses a script; throws {@link SyntaxProblem}. */
export function parseScript(script: string, depth = 0): List {
  if (depth > MAX_DEPTH) throw new SyntaxProblem('nested too deeply');
  const parser = new Parser(script, depth);
  const list = parser.list();
  parser.end();
  return list;
}

interface PendingDocument {
  readonly redirect: { target: Word };
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly literal: boolean;
}

class Parser {
  private at = 0;
  private readonly documents: PendingDocument[] = [];

  constructor(
    private readonly text: string,
    private readonly depth: number,
  ) {}

  list(): List {
    const items: AndOr[] = [];
    for (;;) {
      this.skipSeparators();
      if (this.atEnd() || this.peek(')') || this.peek(';;') || CLOSING.has(this.keyword() ?? '')) return items;
      items.push(this.andOr());
      this.blanks();
      if (this.peek(';;')) return items;
      if (this.peek(';') || this.peek('\n') || this.atEnd() || this.peek(')')) continue;
      const next = this.keyword();
      if (items.at(-1)?.background !== true && (next === undefined || !CLOSING.has(next))) this.unexpected();
    }
  }

  end(): void {
    this.skipSeparators();
    if (!this.atEnd()) this.unexpected();
  }

  private andOr(): AndOr {
    const first = this.pipeline();
    const rest: { operator: '&&' | '||'; pipeline: Pipeline }[] = [];
    for (;;) {
      this.blanks();
      const operator = this.peek('&&') ? '&&' : this.peek('||') ? '||' : undefined;
      if (operator === undefined) break;
      this.at += 2;
      this.skipNewlines();
      rest.push({ operator, pipeline: this.pipeline() });
    }
    const background = this.peek('&');
    if (background) this.at++;
    return { first, rest, background };
  }

  private pipeline(): Pipeline {
    this.blanks();
    const negated = this.keyword() === '!';
    if (negated) this.at++;
    const commands = [this.command()];
    for (;;) {
      this.blanks();
      if (!this.peek('|') || this.peek('||')) return { negated, commands };
      this.at += this.peek('|&') ? 2 : 1;
      this.skipNewlines();
      commands.push(this.command());
    }
  }

  private command(): Command {
    this.blanks();
    if (this.peek('(')) return this.group('(', ')');
    switch (this.keyword()) {
      case '{':
        return this.group('{', '}');
      case 'if':
        return this.ifCommand();
      case 'for':
        return this.forCommand();
      case 'while':
      case 'until':
        return this.whileCommand();
      case 'case':
        return this.caseCommand();
      case 'function':
        this.take('function');
        return this.functionCommand();
      default:
        return /^[A-Za-z_][\w-]*[ \t]*\(\)/.test(this.text.slice(this.at, this.at + 128))
          ? this.functionCommand()
          : this.simple();
    }
  }

  private functionCommand(): Command {
    this.blanks();
    const name = /^[A-Za-z_][\w-]*/.exec(this.text.slice(this.at, this.at + 128))?.[0] ?? this.unexpected();
    this.at += name.length;
    this.blanks();
    if (this.peek('()')) this.at += 2;
    this.skipNewlines();
    return { kind: 'function', name, body: this.command() };
  }

  private group(open: string, close: string): Command {
    this.at += open.length;
    const body = this.list();
    this.expect(close);
    return { kind: 'group', subshell: open === '(', body, redirects: this.redirects() };
  }

  private ifCommand(): Command {
    const branches: { test: List; body: List }[] = [];
    let otherwise: List | undefined;
    this.take('if');
    for (;;) {
      const test = this.list();
      this.take('then');
      branches.push({ test, body: this.list() });
      const next = this.keyword();
      if (next === 'elif') {
        this.take('elif');
        continue;
      }
      if (next === 'else') {
        this.take('else');
        otherwise = this.list();
      }
      this.take('fi');
      return { kind: 'if', branches, otherwise, redirects: this.redirects() };
    }
  }

  private forCommand(): Command {
    this.take('for');
    this.blanks();
    const name = /^[A-Za-z_]\w*/.exec(this.text.slice(this.at, this.at + 128))?.[0] ?? this.unexpected();
    this.at += name.length;
    this.skipNewlines();
    let words: Word[] | undefined;
    if (this.keyword() === 'in') {
      this.take('in');
      words = this.words();
    }
    this.skipSeparators();
    const body = this.doGroup();
    return { kind: 'for', name, words, body, redirects: this.redirects() };
  }

  private whileCommand(): Command {
    const until = this.keyword() === 'until';
    this.take(until ? 'until' : 'while');
    const test = this.list();
    const body = this.doGroup();
    return { kind: 'while', until, test, body, redirects: this.redirects() };
  }

  private doGroup(): List {
    this.take('do');
    const body = this.list();
    this.take('done');
    return body;
  }

  private caseCommand(): Command {
    this.take('case');
    this.blanks();
    const word = this.word() ?? this.unexpected();
    this.skipNewlines();
    this.take('in');
    const branches: { patterns: Word[]; body: List }[] = [];
    for (;;) {
      this.skipSeparators();
      if (this.keyword() === 'esac') break;
      if (this.peek('(')) this.at++;
      const patterns = [this.wordOrFail()];
      for (this.blanks(); this.peek('|'); this.blanks()) {
        this.at++;
        patterns.push(this.wordOrFail());
      }
      this.expect(')');
      branches.push({ patterns, body: this.list() });
      this.blanks();
      if (this.peek(';;')) this.at += 2;
    }
    this.take('esac');
    return { kind: 'case', word, branches, redirects: this.redirects() };
  }

  private simple(): Command {
    const assignments: { name: string; value: Word }[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      if (redirect !== undefined) {
        redirects.push(redirect);
        continue;
      }
      const assignment = words.length === 0 ? this.assignment() : undefined;
      if (assignment !== undefined) {
        assignments.push(assignment);
        continue;
      }
      const word = this.word();
      if (word === undefined) break;
      words.push(word);
    }
    if (assignments.length + words.length + redirects.length === 0) this.unexpected();
    return { kind: 'simple', assignments, words, redirects };
  }

  private assignment(): { name: string; value: Word } | undefined {
    const name = /^([A-Za-z_]\w*)=/.exec(this.text.slice(this.at, this.at + 257))?.[1];
    if (name === undefined) return undefined;
    this.at += name.length + 1;
    return { name, value: this.word() ?? { parts: [] } };
  }

  private words(): Word[] {
    const words: Word[] = [];
    for (;;) {
      this.blanks();
      const word = this.word();
      if (word === undefined) return words;
      words.push(word);
    }
  }

  private redirects(): Redirect[] {
    const found: Redirect[] = [];
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      if (redirect === undefined) return found;
      found.push(redirect);
    }
  }

  private redirect(): Redirect | undefined {
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

  private word(): Word | undefined {
    const reader = this.reader(this.text, this.at);
    const word = reader.word();
    this.at = reader.at;
    return word;
  }

  private wordOrFail(): Word {
    this.blanks();
    return this.word() ?? this.unexpected();
  }

  private reader(text: string, at: number): WordReader {
    return new WordReader(text, at, (script) => parseScript(script, this.depth + 1));
  }

  /** A reserved word or brace at this place, unquoted and standing alone. */
  private keyword(): string | undefined {
    this.blanks();
    return /^(?:if|then|elif|else|fi|for|in|while|until|do|done|case|esac|function|\{|\}|!)(?=$|[\s;&|()<>])/.exec(
      this.text.slice(this.at, this.at + 16),
    )?.[0];
  }

  private take(word: string): void {
    this.skipSeparators();
    if (this.keyword() !== word) this.unexpected(word);
    this.at += word.length;
  }

  private expect(text: string): void {
    this.skipSeparators();
    if (!this.peek(text)) this.unexpected(text);
    this.at += text.length;
  }

  private blanks(): void {
    for (;;) {
      const char = this.text[this.at];
      if (char === ' ' || char === '\t' || char === '\r') this.at++;
      else if (char === '\\' && this.text[this.at + 1] === '\n') this.at += 2;
      else if (char === '#') while (!this.atEnd() && !this.peek('\n')) this.at++;
      else return;
    }
  }

  private skipNewlines(): void {
    for (this.blanks(); this.peek('\n'); this.blanks()) this.newline();
  }

  private skipSeparators(): void {
    for (this.blanks(); this.peek('\n') || (this.peek(';') && !this.peek(';;')); this.blanks()) {
      if (this.peek('\n')) this.newline();
      else this.at++;
    }
  }

  private newline(): void {
    this.at++;
    this.readDocuments();
  }

  private peek(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  private atEnd(): boolean {
    return this.at >= this.text.length;
  }

  private unexpected(wanted?: string): never {
    const found = this.atEnd() ? 'end of file' : `"${this.text.slice(this.at, this.at + 10).split(/\s/)[0]}"`;
    throw new SyntaxProblem(
      `syntax error: unexpected ${found}${wanted === undefined ? '' : ` (expecting "${wanted}")`}`,
    );
  }
}
