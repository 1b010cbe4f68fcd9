import { quote } from '../format/quote';
import { ExpressionParser, type ParseContext, type TreeSet } from './expression-parser';
import { Lexer } from './lexer';
import type { ControlNode, ListNode, Node, TemplateNode } from './nodes';
import type { TemplateToken } from './token';

export type { ParseContext, TreeSet } from './expression-parser';

interface End {
  readonly kind: 'end' | 'else';
  readonly at: number;
}

/** Reads a template's text (a byte string) into trees, with Go's errors (text/template/parse). */
export function parseTrees(text: string, context: ParseContext): TreeSet {
  new Parser(context.fileName, new Lexer(text), context).parseFile();
  return context.trees;
}

/** One template (the file, a define or a block); they share the lexer, each has its own look-ahead and variables. */
class Parser extends ExpressionParser {
  private rangeDepth = 0;

  constructor(
    private readonly name: string,
    lexer: Lexer,
    context: ParseContext,
  ) {
    super(lexer, context);
  }

  parseFile(): void {
    const root: ListNode = { kind: 'list', at: this.peek().at, nodes: [] };
    while (this.peek().kind !== 'eof') {
      if (this.peek().kind === 'leftDelim') {
        const delimiter = this.next();
        if (this.nextNonSpace().kind === 'define') {
          this.parseDefinition();
          continue;
        }
        this.backup2(delimiter);
      }
      const node = this.textOrAction();
      if (isEnd(node)) this.fail(`unexpected {{${node.kind}}}`);
      root.nodes.push(node);
    }
    this.add(root);
  }

  private parseDefinition(): void {
    const inner = new Parser('definition', this.lexer, this.context);
    const token = inner.nextNonSpace();
    if (token.kind !== 'string' && token.kind !== 'rawString') inner.unexpected(token, 'define clause');
    const name = inner.unquoted(token);
    inner.expect('rightDelim', 'define clause');
    const [root, end] = inner.itemList();
    if (end.kind !== 'end') inner.fail(`unexpected {{${end.kind}}} in define clause`);
    inner.add(root, name);
  }

  private add(root: ListNode, name = this.name): void {
    const known = this.context.trees.get(name);
    if (known === undefined || isEmptyTree(known)) this.context.trees.set(name, root);
    else if (!isEmptyTree(root)) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  private itemList(): [ListNode, End] {
    const list: ListNode = { kind: 'list', at: this.peekNonSpace().at, nodes: [] };
    this.enter();
    while (this.peekNonSpace().kind !== 'eof') {
      const node = this.textOrAction();
      if (isEnd(node)) {
        this.depth--;
        return [list, node];
      }
      list.nodes.push(node);
    }
    return this.fail('unexpected EOF');
  }

  private textOrAction(): Node | End {
    const token = this.nextNonSpace();
    if (token.kind === 'text') return { kind: 'text', at: token.at, text: token.text };
    if (token.kind !== 'leftDelim') return this.unexpected(token, 'input');
    this.actionLine = token.line;
    const node = this.action();
    this.actionLine = 0;
    return node;
  }

  private action(): Node | End {
    const token = this.nextNonSpace();
    switch (token.kind) {
      case 'block':
        return this.block();
      case 'break':
      case 'continue':
        return this.jump(token.kind, token.at);
      case 'else': {
        const next = this.peekNonSpace();
        if (next.kind === 'if' || next.kind === 'with') return { kind: 'else', at: next.at };
        return { kind: 'else', at: this.expect('rightDelim', 'else').at };
      }
      case 'end':
        return { kind: 'end', at: this.expect('rightDelim', 'end').at };
      case 'if':
      case 'range':
      case 'with':
        return this.control(token.kind);
      case 'template':
        return this.template();
    }
    this.backup();
    const at = this.peek().at;
    return { kind: 'action', at, pipe: this.pipeline('command', 'rightDelim') };
  }

  private jump(kind: 'break' | 'continue', at: number): Node {
    const token = this.nextNonSpace();
    if (token.kind !== 'rightDelim') this.unexpected(token, `{{${kind}}}`);
    if (this.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, at };
  }

  private control(kind: ControlNode['kind']): ControlNode {
    const known = this.variables.length;
    this.enter();
    const pipe = this.pipeline(kind, 'rightDelim');
    if (kind === 'range') this.rangeDepth++;
    const [list, end] = this.itemList();
    if (kind === 'range') this.rangeDepth--;
    const elseList = end.kind === 'else' ? this.elseList(kind, end) : undefined;
    this.depth--;
    this.variables.length = known;
    return { kind, at: pipe.at, pipe, list, elseList };
  }

  private elseList(kind: ControlNode['kind'], start: End): ListNode {
    // `{{else if}}` is an `if` in the else branch whose `{{end}}` closes both.
    if (kind !== 'range' && this.peek().kind === kind) {
      this.next();
      return { kind: 'list', at: start.at, nodes: [this.control(kind)] };
    }
    const [list, end] = this.itemList();
    if (end.kind !== 'end') this.fail(`expected end; found {{${end.kind}}}`);
    return list;
  }

  private block(): TemplateNode {
    const token = this.nextNonSpace();
    const name = this.templateName(token, 'block clause');
    const pipe = this.pipeline('block clause', 'rightDelim');
    const inner = new Parser(name, this.lexer, this.context);
    const [root, end] = inner.itemList();
    // Go's error names the line that the outer template has reached.
    if (end.kind !== 'end') this.fail(`unexpected {{${end.kind}}} in block clause`);
    inner.add(root);
    return { kind: 'template', at: token.at, name, pipe };
  }

  private template(): TemplateNode {
    const token = this.nextNonSpace();
    const name = this.templateName(token, 'template clause');
    if (this.nextNonSpace().kind === 'rightDelim') return { kind: 'template', at: token.at, name, pipe: undefined };
    this.backup();
    return { kind: 'template', at: token.at, name, pipe: this.pipeline('template clause', 'rightDelim') };
  }

  private templateName(token: TemplateToken, clause: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.unexpected(token, clause);
    return this.unquoted(token);
  }
}

function isEnd(node: Node | End): node is End {
  return node.kind === 'end' || node.kind === 'else';
}

/** Only spaces and definitions (Go's IsEmptyTree). */
export function isEmptyTree(node: Node): boolean {
  if (node.kind === 'list') return node.nodes.every(isEmptyTree);
  return node.kind === 'text' && /^[\t\n\v\f\r \x85\xa0]*$/.test(node.text);
}
