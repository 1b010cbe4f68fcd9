import { limits } from '@/lib/limits/limits';
import { quote } from '../format/quote';
import { TemplateError } from '../template-error';
import { toLooseText } from '../value/bytes';
import { describeNode } from './describe-node';
import { Lexer } from './lexer';
import type {
  ChainNode,
  CommandNode,
  ControlNode,
  ExpressionNode,
  ListNode,
  Node,
  PipeNode,
  TemplateNode,
} from './nodes';
import { parseNumber } from './number';
import type { Token, TokenKind } from './token';
import { TokenReader } from './token-reader';
import { unquote } from './unquote';

/** All templates of one file by name: the file itself and what it defines. */
export type TreeSet = Map<string, ListNode>;

interface End {
  readonly kind: 'end' | 'else';
  readonly at: number;
}

/** What one file's parsers share. */
export interface ParseContext {
  readonly fileName: string;
  readonly trees: TreeSet;
  readonly hasFunction: (name: string) => boolean;
  /** Names of functions that are absent on purpose, with the reason. */
  readonly whyAbsent: (name: string) => string | undefined;
}

/** Reads a template's text (a byte string) into trees, with Go's errors (text/template/parse). */
export function parseTrees(text: string, context: ParseContext): TreeSet {
  new Parser(context.fileName, new Lexer(text), context).parseFile();
  return context.trees;
}

const OPERANDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

/** One template (the file, a define or a block); they share the lexer, each has its own look-ahead and variables. */
class Parser extends TokenReader {
  private variables = ['$'];
  private rangeDepth = 0;
  private depth = 0;

  constructor(
    private readonly name: string,
    lexer: Lexer,
    private readonly context: ParseContext,
  ) {
    super(lexer, context.fileName);
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
    inner.parseBody(name, 'define clause');
  }

  private parseBody(name: string, clause: string): void {
    const [root, end] = this.itemList();
    if (end.kind !== 'end') this.fail(`unexpected {{${end.kind}}} in ${clause}`);
    this.add(root, name);
  }

  private add(root: ListNode, name = this.name): void {
    const known = this.context.trees.get(name);
    if (known === undefined || isEmpty(known)) this.context.trees.set(name, root);
    else if (!isEmpty(root)) this.fail(`template: multiple definition of template ${quote(name)}`);
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
    new Parser(name, this.lexer, this.context).parseBody(name, 'block clause');
    return { kind: 'template', at: token.at, name, pipe };
  }

  private template(): TemplateNode {
    const token = this.nextNonSpace();
    const name = this.templateName(token, 'template clause');
    if (this.nextNonSpace().kind === 'rightDelim') return { kind: 'template', at: token.at, name, pipe: undefined };
    this.backup();
    return { kind: 'template', at: token.at, name, pipe: this.pipeline('template clause', 'rightDelim') };
  }

  private templateName(token: Token, clause: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.unexpected(token, clause);
    return this.unquoted(token);
  }

  private unquoted(token: Token): string {
    return unquote(token.text) ?? this.fail('invalid syntax');
  }

  private pipeline(clause: string, end: TokenKind): PipeNode {
    const pipe: PipeNode = {
      kind: 'pipe',
      at: this.peekNonSpace().at,
      isAssign: false,
      declarations: [],
      commands: [],
    };
    this.enter();
    while (this.declaration(pipe, clause));
    for (;;) {
      const token = this.nextNonSpace();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) this.unexpected(token, clause);
      this.backup();
      pipe.commands.push(this.command());
    }
    this.depth--;
    this.checkPipeline(pipe, clause);
    return pipe;
  }

  /** Reads `$x :=`, `$x =` or the first of `$i, $x :=`; true when another may follow. */
  private declaration(pipe: PipeNode, clause: string): boolean {
    const variable = this.peekNonSpace();
    if (variable.kind !== 'variable') return false;
    this.next();
    // Spaces are tokens, so three tokens may have to be given back.
    const after = this.peek();
    const next = this.peekNonSpace();
    const isComma = next.kind === 'char' && next.text === ',';
    if (next.kind === 'assign' || next.kind === 'declare' || isComma) {
      if (!isComma) pipe.isAssign = next.kind === 'assign';
      this.nextNonSpace();
      pipe.declarations.push({ kind: 'variable', at: variable.at, names: variable.text.split('.') });
      this.variables.push(variable.text);
      if (!isComma) return false;
      if (clause !== 'range' || pipe.declarations.length >= 2) this.fail(`too many declarations in ${clause}`);
      const following = this.peekNonSpace().kind;
      if (following === 'variable' || following === 'rightDelim' || following === 'rightParen') return true;
      this.fail('range can only initialize variables');
    }
    if (after.kind === 'space') this.backup3(variable, after);
    else this.backup2(variable);
    return false;
  }

  private checkPipeline(pipe: PipeNode, clause: string): void {
    if (pipe.commands.length === 0) this.fail(`missing value for ${clause}`);
    for (const [index, command] of pipe.commands.entries()) {
      const kind = command.arguments[0]?.kind;
      if (
        index > 0 &&
        (kind === 'bool' || kind === 'dot' || kind === 'nil' || kind === 'number' || kind === 'string')
      ) {
        this.fail(`non executable command in pipeline stage ${index + 1}`);
      }
    }
  }

  private command(): CommandNode {
    const command: CommandNode = { kind: 'command', at: this.peekNonSpace().at, arguments: [] };
    for (;;) {
      this.peekNonSpace();
      const operand = this.operand();
      if (operand !== undefined) command.arguments.push(operand);
      const token = this.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'rightDelim' || token.kind === 'rightParen') this.backup();
      else if (token.kind !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (command.arguments.length === 0) this.fail('empty command');
    return command;
  }

  private operand(): ExpressionNode | undefined {
    const node = this.term();
    if (node === undefined || this.peek().kind !== 'field') return node;
    const at = this.peek().at;
    const names: string[] = [];
    while (this.peek().kind === 'field') names.push(this.next().text.slice(1));
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, at, names: [...node.names, ...names] };
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after term ${quote(describeNode(node))}`);
      default:
        return { kind: 'chain', at, base: node, names } satisfies ChainNode;
    }
  }

  private term(): ExpressionNode | undefined {
    const token = this.nextNonSpace();
    const { at } = token;
    switch (token.kind) {
      case 'identifier':
        if (!this.context.hasFunction(token.text)) this.fail(this.unknownFunction(token.text));
        return { kind: 'identifier', at, name: token.text };
      case 'dot':
      case 'nil':
        return { kind: token.kind, at };
      case 'variable':
        if (!this.variables.includes(token.text)) this.fail(`undefined variable ${quote(token.text)}`);
        return { kind: 'variable', at, names: token.text.split('.') };
      case 'field':
        return { kind: 'field', at, names: token.text.slice(1).split('.') };
      case 'bool':
        return { kind: 'bool', at, value: token.text === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number': {
        const number = parseNumber(token);
        return typeof number === 'string' ? this.fail(number) : number;
      }
      case 'leftParen':
        return this.pipeline('parenthesized pipeline', 'rightParen');
      case 'string':
      case 'rawString':
        return { kind: 'string', at, literal: token.text, value: this.unquoted(token) };
    }
    this.backup();
    return undefined;
  }

  private unknownFunction(name: string): string {
    const reason = this.context.whyAbsent(name);
    return `function ${quote(name)} not defined${reason === undefined ? '' : ` (${reason})`}`;
  }

  private enter(): void {
    if (++this.depth <= limits.templateParseDepth) return;
    const place = { template: toLooseText(this.context.fileName), line: this.line(), column: -1 };
    const message = `template: ${place.template}:${place.line}: nested deeper than ${limits.templateParseDepth} levels`;
    throw new TemplateError('parse', place, message);
  }
}

function isEnd(node: Node | End): node is End {
  return node.kind === 'end' || node.kind === 'else';
}

/** Only spaces and definitions (Go's IsEmptyTree). */
export function isEmpty(node: Node): boolean {
  if (node.kind === 'list') return node.nodes.every(isEmpty);
  return node.kind === 'text' && /^[\t\n\v\f\r \x85\xa0]*$/.test(node.text);
}
