import type { RenderOptions, TemplatePlace } from '../contract';
import { quote } from '../format/quote';
import type { CallContext } from '../functions/define';
import { describeNode } from '../parse/describe-node';
import type { Node } from '../parse/nodes';
import { TemplateError, type TemplateErrorKind } from '../template-error';
import { isAscii, toLooseText } from '../value/bytes';
import { goTypeOf } from '../value/describe';
import type { Value } from '../value/value';
import { TemplateBudget } from './budget';

/** Evaluates an expression. */
export type Evaluate = (run: Rendering, dot: Value) => Value;
/** Executes a part of a template; returns whether a `break` or `continue` was executed. */
export type Execute = (run: Rendering, dot: Value) => Signal;
export type Signal = 'next' | 'break' | 'continue';

export interface CompiledTemplate {
  readonly name: string;
  readonly execute: Execute;
  /** Variables alive at once at most; slot 0 is `$`. */
  slots: number;
}

export interface CompiledFile {
  /** Byte strings: the name and the whole text, for places in errors. */
  readonly name: string;
  readonly text: string;
  readonly templates: ReadonlyMap<string, CompiledTemplate>;
}

/** A rendering in progress: the output so far, variables, the budget, and the current node (for errors). */
export class Rendering implements CallContext {
  readonly budget: TemplateBudget;
  readonly environment: RenderOptions['environment'];
  readonly compatibility: 'sprig3' | 'kudo019';
  readonly missingKey: 'error' | 'zero';
  readonly progress: Int32Array | undefined;
  out = '';
  node: Node;
  variables: Value[] = [];
  /** Of the method that is about to be called. */
  receiver: Value;
  private current: CompiledTemplate;

  constructor(
    private readonly file: CompiledFile,
    main: CompiledTemplate,
    options: RenderOptions,
  ) {
    this.budget = new TemplateBudget(options.budget);
    this.environment = options.environment;
    this.compatibility = options.compatibility ?? 'sprig3';
    this.missingKey = options.missingKey ?? 'error';
    this.progress = options.progress;
    this.current = main;
    this.node = { kind: 'list', at: 0, nodes: [] };
  }

  /** True while the output is ASCII, so that it need not be decoded. */
  isAscii = true;

  write(bytes: string): void {
    if (this.isAscii && !isAscii(bytes)) this.isAscii = false;
    this.out += bytes;
    this.budget.output(this.out.length);
  }

  /** A text of the template, known to be ASCII. */
  writeAscii(bytes: string): void {
    this.out += bytes;
    this.budget.output(this.out.length);
  }

  defines(name: string): boolean {
    return this.file.templates.has(name);
  }

  quoted(name: string): string {
    return quote(name);
  }

  /** Runs another template of the file; it sees no variables but `$`. */
  call(name: string, dot: Value): void {
    const template = this.file.templates.get(name);
    if (template === undefined) throw this.fail(`template ${this.quoted(name)} not defined`);
    const { current, variables } = this;
    this.budget.enterTemplate();
    this.current = template;
    this.variables = new Array<Value>(template.slots);
    this.variables[0] = dot;
    template.execute(this, dot);
    this.current = current;
    this.variables = variables;
    this.budget.leaveTemplate();
  }

  /** An error at the current node, with Go's message. */
  fail(message: string, failure: TemplateErrorKind = 'exec'): TemplateError {
    const place = this.place();
    const context = toLooseText(describeNode(this.node));
    const name = toLooseText(quote(this.current.name));
    const where = `${place.template}:${place.line}:${place.column}`;
    return new TemplateError(
      failure,
      place,
      `template: ${where}: executing ${name} at <${context}>: ${toLooseText(message)}`,
    );
  }

  private place(): TemplatePlace {
    const before = this.file.text.slice(0, this.node.at);
    const lastBreak = before.lastIndexOf('\n');
    return {
      template: toLooseText(this.file.name),
      line: before.split('\n').length,
      column: before.length - lastBreak - 1,
    };
  }
}

/** The type as Go's messages name it. */
export function goTypeNameOf(value: Value): string {
  return goTypeOf(value)?.name ?? '<nil>';
}
