import type { CommandNode, ControlNode, ExpressionNode, ListNode, Node, PipeNode } from '@/lib/template/parse/nodes';
import type { Template } from '@/lib/template/template';

/** Something a template refers to, and the line (from 1) where it first does. */
export type References = Map<string, number>;

/** The variables of KUDO that a template uses. */
export interface TemplateUse {
  /** `.Params.X` and `$.Params.X`. */
  readonly parameters: References;
  /** Parameters named by a text beside `.Params`, e.g. `index .Params "X"`: used, though they may be absent. */
  readonly mentioned: ReadonlySet<string>;
  /** True when `.Params` is used as a whole in a way that may touch every parameter. */
  readonly usesAllParameters: boolean;
  /** `.Objects.X` and `$.Objects.X`. */
  readonly objects: References;
  /** `.Refs.X` and `$.Refs.X`. */
  readonly references: References;
  /** What of an object, by name: `status.address` of `.Objects.X.status.address`, empty for all of it. */
  readonly objectFields: ReadonlyMap<string, ReadonlySet<string>>;
  /** One-part variables of the root, e.g. `Name` of `.Name`. */
  readonly implicits: References;
}

/**
 * Finds what a template refers to. Unlike KUDO's scan it looks at every argument, both branches and `define`s,
 * knows that the dot is something else inside `range` and `with`, and lets `.Params` be passed on as a whole.
 */
export function scanTemplate(template: Template): TemplateUse {
  const scanner = new Scanner(template.compiled.text);
  for (const [name, tree] of template.trees) {
    scanner.list(
      tree,
      name === template.compiled.name ? { dot: 'root', dollar: 'root' } : { dot: 'other', dollar: 'other' },
    );
  }
  return scanner;
}

interface Scope {
  readonly dot: 'root' | 'other';
  readonly dollar: 'root' | 'other';
}

class Scanner implements TemplateUse {
  readonly parameters: References = new Map();
  readonly objects: References = new Map();
  readonly references: References = new Map();
  readonly objectFields = new Map<string, Set<string>>();
  readonly implicits: References = new Map();
  readonly mentioned = new Set<string>();
  usesAllParameters = false;

  constructor(private readonly text: string) {}

  list(list: ListNode | undefined, scope: Scope): void {
    for (const node of list?.nodes ?? []) this.node(node, scope);
  }

  private node(node: Node, scope: Scope): void {
    switch (node.kind) {
      case 'action':
        this.pipe(node.pipe, scope);
        return;
      case 'template':
        if (node.pipe !== undefined) this.pipe(node.pipe, scope);
        return;
      case 'if':
      case 'with':
      case 'range':
        this.control(node, scope);
        return;
      default:
    }
  }

  private control(node: ControlNode, scope: Scope): void {
    this.pipe(node.pipe, scope);
    const inside = node.kind === 'if' ? scope : { ...scope, dot: 'other' as const };
    this.list(node.list, inside);
    this.list(node.elseList, scope);
  }

  private pipe(pipe: PipeNode, scope: Scope): void {
    for (const command of pipe.commands) this.command(command, scope);
  }

  private command(command: CommandNode, scope: Scope): void {
    const wholes = command.arguments.filter((argument) => isParams(argument, scope));
    const texts = command.arguments.flatMap((argument) => (argument.kind === 'string' ? [argument.value] : []));
    if (wholes.length > 0) {
      if (texts.length === 0) this.usesAllParameters = true;
      for (const text of texts) this.mentioned.add(text);
    }
    for (const argument of command.arguments) if (!wholes.includes(argument)) this.expression(argument, scope);
  }

  private expression(node: ExpressionNode, scope: Scope): void {
    if (node.kind === 'pipe') this.pipe(node, scope);
    else if (node.kind === 'chain') this.expression(node.base, scope);
    else if (node.kind === 'field') this.field(node.names, scope.dot, node.at);
    else if (node.kind === 'variable' && node.names[0] === '$') this.field(node.names.slice(1), scope.dollar, node.at);
  }

  private field(names: readonly string[], base: 'root' | 'other', at: number): void {
    const [first, second] = names;
    if (first === undefined) return;
    if (first === 'Params' && second !== undefined) this.note(this.parameters, second, at);
    else if (first === 'Refs' && second !== undefined) this.note(this.references, second, at);
    else if (first === 'Objects' && second !== undefined) {
      this.note(this.objects, second, at);
      const fields = this.objectFields.get(second) ?? new Set();
      this.objectFields.set(second, fields.add(names.slice(2).join('.')));
    } else if (base === 'root' && second === undefined) this.note(this.implicits, first, at);
  }

  private note(references: References, name: string, at: number): void {
    if (!references.has(name)) references.set(name, this.text.slice(0, at).split('\n').length);
  }
}

function isParams(node: ExpressionNode, scope: Scope): boolean {
  if (node.kind === 'field') return scope.dot === 'root' && node.names.length === 1 && node.names[0] === 'Params';
  return node.kind === 'variable' && node.names[0] === '$' && node.names.length === 2 && node.names[1] === 'Params';
}
