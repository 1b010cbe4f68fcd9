import type { ActionNode, ControlNode, ListNode, Node, PipeNode } from '@/lib/template/parse/nodes';
import { toLooseText } from '@/lib/template/value/bytes';
import { type ChartScope, type ExpressionConverter, writtenCode } from './expressions';
import type { HelmTree } from './helm-trees';
import { type Meaning, type TemplateCode, toCode, Unconvertible } from './meaning';
import type { Writer } from './writer';

/** Where statements of a definition or a file are converted. */
export interface Frame extends ChartScope {
  readonly source: HelmTree;
  readonly writer: Writer;
  /** Variables that are assigned again: they exist when the package is rendered. */
  readonly assigned: ReadonlySet<string>;
}

/** Converts the statements of a template; what definitions become is left to the class below. */
export abstract class StatementConverter {
  protected abstract readonly expressions: ExpressionConverter;
  protected frame: Frame | undefined;
  /** The statement that is converted now, for reports. */
  protected at = 0;

  /** Writes an `include` that can be a part of the text; false when it is none. */
  protected abstract inlined(pipe: PipeNode, frame: Frame): boolean;
  protected abstract inline(name: string, data: Meaning, frame: ChartScope, writer: Writer): void;
  /** A name for a variable that no other one of the file has. */
  protected abstract freshName(from: string): string;

  protected list(list: ListNode, frame: Frame): void {
    const before = this.frame;
    this.frame = frame;
    for (const node of list.nodes) this.node(node, frame);
    this.frame = before;
  }

  private node(node: Node, frame: Frame): void {
    this.at = node.at;
    switch (node.kind) {
      case 'text':
        frame.writer.text(toLooseText(node.text));
        return;
      case 'action':
        this.action(node, frame);
        return;
      case 'template': {
        const data = node.pipe === undefined ? undefined : this.expressions.pipe(node.pipe, frame);
        this.inline(toLooseText(node.name), data ?? { kind: 'constant', value: null }, frame, frame.writer);
        return;
      }
      case 'if':
        this.branch(node, frame);
        return;
      case 'with':
        this.with(node, frame);
        return;
      case 'range':
        this.range(node, frame);
        return;
      case 'break':
      case 'continue':
        frame.writer.control(node.kind);
        return;
      default:
    }
  }

  private action({ pipe }: ActionNode, frame: Frame): void {
    const [variable] = pipe.declarations;
    if (variable !== undefined) {
      this.assign(variable.names[0] ?? '', pipe, frame);
      return;
    }
    if (this.inlined(pipe, frame)) return;
    const meaning = this.expressions.pipe(pipe, frame);
    if (meaning.kind === 'constant') {
      if (meaning.value === null) return;
      const text = meaning.literal ?? meaning.value;
      if (
        typeof text === 'boolean' ||
        (typeof text === 'string' && (meaning.literal === undefined || /^-?\d+$/.test(text)))
      ) {
        frame.writer.text(String(text));
        return;
      }
    }
    const { code, isLine, printed } = this.expressions.code(meaning, 'print');
    frame.writer.print(writtenCode(printed ?? code, frame.isAtRoot), isLine);
  }

  private assign(name: string, pipe: PipeNode, frame: Frame): void {
    const meaning = this.expressions.pipe(pipe, frame);
    if (pipe.isAssign) {
      const known = frame.variables.get(name);
      if (known?.kind !== 'code') throw new Unconvertible(`${name} is not a variable of this definition`, pipe.at);
      frame.writer.control(`${known.code} = ${this.written(meaning, frame)}`);
      return;
    }
    // What is known now needs no variable; neither does a place in the values, nor what is short and always the same.
    if (!frame.assigned.has(name) && (meaning.kind !== 'code' || isRepeatable(meaning))) {
      frame.variables.set(name, meaning);
      return;
    }
    const fresh = this.freshName(name.slice(1));
    const isLine = meaning.kind === 'code' && meaning.isLine;
    frame.writer.control(`${fresh} := ${this.written(meaning, frame)}`);
    frame.variables.set(name, toCode(fresh, { isLine }));
  }

  private written(meaning: Meaning, { isAtRoot }: ChartScope): string {
    return writtenCode(this.expressions.code(meaning, 'value').code, isAtRoot);
  }

  private branch(node: ControlNode, frame: Frame): void {
    const condition = this.expressions.pipe(node.pipe, frame);
    const known = this.expressions.truth(condition);
    if (known !== undefined) {
      if (known) this.block(node.list, frame);
      else if (node.elseList !== undefined) this.block(node.elseList, frame);
      return;
    }
    frame.writer.control(`if ${this.written(condition, frame)}`);
    this.block(node.list, frame);
    this.otherwise(node, frame);
  }

  /** Variables of a block end with it. */
  private block(list: ListNode, frame: Frame): void {
    this.list(list, { ...frame, variables: new Map(frame.variables) });
  }

  private otherwise(node: ControlNode, frame: Frame): void {
    if (node.elseList !== undefined) {
      frame.writer.control('else');
      this.block(node.elseList, frame);
    }
    frame.writer.control('end');
  }

  private with(node: ControlNode, frame: Frame): void {
    const value = this.expressions.pipe(node.pipe, frame);
    const [variable] = node.pipe.declarations;
    const known = this.expressions.truth(value);
    if (known === false) {
      if (node.elseList !== undefined) this.block(node.elseList, frame);
      return;
    }
    if (known === true) {
      const variables = new Map(frame.variables);
      if (variable !== undefined) variables.set(variable.names[0] ?? '', value);
      this.list(node.list, { ...frame, dot: value, variables });
      return;
    }
    const isLine = value.kind === 'values' || (value.kind === 'code' && value.isLine);
    const inside = this.inside(node, frame, isLine);
    frame.writer.control(`with ${inside.declared}${this.written(value, frame)}`);
    this.list(node.list, inside.frame);
    this.otherwise(node, frame);
  }

  private range(node: ControlNode, frame: Frame): void {
    const value = this.expressions.pipe(node.pipe, frame);
    if (value.kind === 'constant' && this.expressions.truth(value) === false) {
      if (node.elseList !== undefined) this.block(node.elseList, frame);
      return;
    }
    const code = this.written(value, frame);
    const inside = this.inside(node, frame, false);
    frame.writer.control(`range ${inside.declared}${code}`);
    this.list(node.list, inside.frame);
    this.otherwise(node, frame);
  }

  /** The frame inside of a `with` or `range`: the dot is its value, and the root is `$`. */
  private inside(node: ControlNode, frame: Frame, isLine: boolean): { frame: Frame; declared: string } {
    const variables = new Map(frame.variables);
    const names = node.pipe.declarations.map((each) => {
      const name = each.names[0] ?? '';
      const fresh = this.freshName(name.slice(1));
      variables.set(name, toCode(fresh, { isLine }));
      return fresh;
    });
    const dot: TemplateCode = toCode('.', { isOfDot: true, isLine });
    const declared = names.length === 0 ? '' : `${names.join(', ')} := `;
    return { frame: { ...frame, dot, isAtRoot: false, variables }, declared };
  }
}

function isRepeatable({ code, isOfDot }: TemplateCode): boolean {
  return !isOfDot && code.length <= 70 && !/\b(rand|gen|uuid|now|date|shuffle|htpasswd|bcrypt|encrypt)/.test(code);
}
