import { ShellScanner } from './scanner';
import { type AndOr, type Command, type List, type Pipeline, type Redirect, SyntaxProblem, type Word } from './syntax';

const CLOSING = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);
const MAX_DEPTH = 50;

/** Parses a script; throws {@link SyntaxProblem}. */
export function parseScript(script: string, depth = 0): List {
  if (depth > MAX_DEPTH) throw new SyntaxProblem('nested too deeply');
  const parser = new Parser(script, (inner) => parseScript(inner, depth + 1));
  const list = parser.list();
  parser.end();
  return list;
}

class Parser extends ShellScanner {
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
}
