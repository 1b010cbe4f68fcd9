/** The syntax tree of a template, shaped as Go's text/template/parse: positions are byte offsets, texts byte strings. */
export type Node =
  | ListNode
  | TextNode
  | ActionNode
  | ControlNode
  | TemplateNode
  | JumpNode
  | ExpressionNode
  | CommandNode;

export type ExpressionNode =
  | PipeNode
  | IdentifierNode
  | FieldNode
  | VariableNode
  | ChainNode
  | DotNode
  | NilNode
  | BoolNode
  | NumberNode
  | StringNode;

export interface ListNode {
  readonly kind: 'list';
  readonly at: number;
  readonly nodes: Node[];
}
export interface TextNode {
  readonly kind: 'text';
  readonly at: number;
  readonly text: string;
}
export interface ActionNode {
  readonly kind: 'action';
  readonly at: number;
  readonly pipe: PipeNode;
}
export interface ControlNode {
  readonly kind: 'if' | 'with' | 'range';
  readonly at: number;
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface TemplateNode {
  readonly kind: 'template';
  readonly at: number;
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
export interface JumpNode {
  readonly kind: 'break' | 'continue';
  readonly at: number;
}
export interface PipeNode {
  readonly kind: 'pipe';
  readonly at: number;
  isAssign: boolean;
  readonly declarations: VariableNode[];
  readonly commands: CommandNode[];
}
export interface CommandNode {
  readonly kind: 'command';
  readonly at: number;
  readonly arguments: ExpressionNode[];
}
export interface IdentifierNode {
  readonly kind: 'identifier';
  readonly at: number;
  readonly name: string;
}
export interface FieldNode {
  readonly kind: 'field';
  readonly at: number;
  readonly names: readonly string[];
}
/** `names[0]` is the variable with its `$`, the rest are fields. */
export interface VariableNode {
  readonly kind: 'variable';
  readonly at: number;
  readonly names: readonly string[];
}
export interface ChainNode {
  readonly kind: 'chain';
  readonly at: number;
  readonly base: ExpressionNode;
  readonly names: readonly string[];
}
export interface DotNode {
  readonly kind: 'dot';
  readonly at: number;
}
export interface NilNode {
  readonly kind: 'nil';
  readonly at: number;
}
export interface BoolNode {
  readonly kind: 'bool';
  readonly at: number;
  readonly value: boolean;
}
/** One literal may be several kinds of number at once: `1` is an int, a uint and a float. */
export interface NumberNode {
  readonly kind: 'number';
  readonly at: number;
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: { readonly real: number; readonly imaginary: number } | undefined;
}
export interface StringNode {
  readonly kind: 'string';
  readonly at: number;
  /** As written. */
  readonly literal: string;
  readonly value: string;
}
