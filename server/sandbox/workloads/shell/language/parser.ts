import { ShellScanner } from './scanner';
import { type Command, type List, type Pipeline, type Redirect, SyntaxProblem, type Word } from './syntax';

const CLOSING = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);
const MAX_DEPTH = 50;

/** Parses a script; throws {@link SyntaxProblem}. */
export function parseScript(script: string, depth = 0): List {
  if (depth > MAX_DEPTH) throw new SyntaxProblem('nested too deeply');
  return new Parser(script, (inner) => parseScript(inner, depth + 1)).script();
}

class Parser extends ShellScanner {
  script(): List {
    const list = this.list();
    this.skipSeparators();
    if (!this.atEnd()) this.unexpected();
    return list;
  }

  private list(): List {
    const items: Pipeline[][] = [];
    for (;;) {
      this.skipSeparators();
      if (this.atEnd() || this.peek(')') || this.peek(';;') || CLOSING.has(this.keyword() ?? '')) return items;
      items.push(this.pipelines());
      const isBackground = this.match(/&/y) !== undefined;
      this.blanks();
      if (isBackground || this.atEnd() || /[;\n)]/.test(this.text[this.at] ?? '')) continue;
      if (!CLOSING.has(this.keyword() ?? '')) this.unexpected();
    }
  }

  private pipelines(): Pipeline[] {
    const found = [this.pipeline(undefined)];
    for (;;) {
      this.blanks();
      const operator = this.match(/&&|\|\|/y)?.[0];
      if (operator === undefined) return found;
      this.skipNewlines();
      found.push(this.pipeline(operator === '&&' ? '&&' : '||'));
    }
  }

  private pipeline(operator: Pipeline['operator']): Pipeline {
    const negated = this.takes('!');
    const commands = [this.command()];
    for (;;) {
      this.blanks();
      if (this.peek('||') || this.match(/\|&?/y) === undefined) return { operator, negated, commands };
      this.skipNewlines();
      commands.push(this.command());
    }
  }

  private command(): Command {
    this.blanks();
    if (this.match(/\(/y)) return this.group(true);
    if (this.takes('{')) return this.group(false);
    if (this.takes('if')) return this.ifCommand();
    if (this.takes('for')) return this.forCommand();
    if (this.takes('while')) return this.whileCommand(false);
    if (this.takes('until')) return this.whileCommand(true);
    if (this.takes('case')) return this.caseCommand();
    const isFunction = this.takes('function');
    this.blanks();
    const name = this.match(isFunction ? /([A-Za-z_][\w-]*)(?:[ \t]*\(\))?/y : /([A-Za-z_][\w-]*)[ \t]*\(\)/y)?.[1];
    if (name === undefined) return isFunction ? this.unexpected() : this.simple();
    this.skipNewlines();
    return { kind: 'function', name, body: this.command(), redirects: [] };
  }

  private group(subshell: boolean): Command {
    const body = this.list();
    this.expect(subshell ? ')' : '}');
    return { kind: 'group', subshell, body, redirects: this.redirects() };
  }

  private ifCommand(): Command {
    const branches: [test: List, body: List][] = [];
    do {
      const test = this.list();
      this.take('then');
      branches.push([test, this.list()]);
    } while (this.takes('elif'));
    if (this.takes('else')) branches.push([[], this.list()]);
    this.take('fi');
    return { kind: 'if', branches, redirects: this.redirects() };
  }

  private forCommand(): Command {
    this.blanks();
    const name = this.match(/[A-Za-z_]\w*/y)?.[0] ?? this.unexpected();
    this.skipNewlines();
    const words = this.takes('in') ? this.words() : undefined;
    this.skipSeparators();
    return { kind: 'for', name, words, body: this.doGroup(), redirects: this.redirects() };
  }

  private whileCommand(until: boolean): Command {
    return { kind: 'while', until, test: this.list(), body: this.doGroup(), redirects: this.redirects() };
  }

  private doGroup(): List {
    this.take('do');
    const body = this.list();
    this.take('done');
    return body;
  }

  private caseCommand(): Command {
    const word = this.wordOrFail();
    this.skipNewlines();
    this.take('in');
    const branches: [patterns: Word[], body: List][] = [];
    for (this.skipSeparators(); !this.takes('esac'); this.skipSeparators()) {
      this.match(/\(/y);
      const patterns: Word[] = [];
      do {
        patterns.push(this.wordOrFail());
        this.blanks();
      } while (this.match(/\|/y));
      this.expect(')');
      branches.push([patterns, this.list()]);
      this.blanks();
      this.match(/;;/y);
    }
    return { kind: 'case', word, branches, redirects: this.redirects() };
  }

  private simple(): Command {
    const assignments: [name: string, value: Word][] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.blanks();
      const redirect = this.redirect();
      const name = redirect === undefined && words.length === 0 ? this.match(/([A-Za-z_]\w*)=/y)?.[1] : undefined;
      const word = redirect === undefined ? this.word() : undefined;
      if (redirect !== undefined) redirects.push(redirect);
      else if (name !== undefined) assignments.push([name, word ?? []]);
      else if (word !== undefined) words.push(word);
      else break;
    }
    if (assignments.length + words.length + redirects.length === 0) this.unexpected();
    return { kind: 'simple', assignments, words, redirects };
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
