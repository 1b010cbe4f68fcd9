import { limits } from '@/lib/limits/limits';
import { quote } from '../format/quote';
import { TemplateError } from '../template-error';
import { toLooseText } from '../value/bytes';
import { describeNode } from './describe-node';
import type { Lexer } from './lexer';
import type { ChainNode, CommandNode, ExpressionNode, ListNode, PipeNode } from './nodes';
import { parseNumber } from './number';
import type { TemplateToken, TemplateTokenKind } from './token';
import { TemplateTokenReader } from './token-reader';
import { unquote } from './unquote';

/** All templates of one file by name: the file itself and what it defines. */
export type TreeSet = Map<string, ListNode>;

/** What one file's parsers share. */
export interface ParseContext {
  readonly fileName: string;
  readonly trees: TreeSet;
  readonly hasFunction: (name: string) => boolean;
  /** Names of functions that are absent on purpose, with the reason. */
  readonly whyAbsent: (name: string) => string | undefined;
}

const OPERANDS: ReadonlySet<TemplateTokenKind> = new Set<TemplateTokenKind>([
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

/** Reads pipelines, commands and operands (Go text/template/parse pipeline … term). */
export class ExpressionParser extends TemplateTokenReader {
  /** Variables that may be used here, `$` first. */
  protected variables = ['$'];
  protected depth = 0;

  constructor(
    lexer: Lexer,
    protected readonly context: ParseContext,
  ) {
    super(lexer, context.fileName);
  }

  protected unquoted(token: TemplateToken): string {
    return unquote(token.text) ?? this.fail('invalid syntax');
  }

  protected pipeline(clause: string, end: TemplateTokenKind): PipeNode {
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
    // Spaces are tokens, so up to three tokens may have to be unread.
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

  protected enter(): void {
    if (++this.depth <= limits.templateParseDepth) return;
    const place = { template: toLooseText(this.context.fileName), line: this.line(), column: -1 };
    const message = `template: ${place.template}:${place.line}: nested deeper than ${limits.templateParseDepth} levels`;
    throw new TemplateError('parse', place, message);
  }
}
