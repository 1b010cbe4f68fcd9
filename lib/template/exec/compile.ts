import type { GoFunctionTable } from '../functions/define';
import type { ControlNode, ListNode, Node, TemplateNode } from '../parse/nodes';
import type { TreeSet } from '../parse/parser';
import { isAscii } from '../value/bytes';
import { isTruth } from '../value/describe';
import type { Value } from '../value/value';
import { ExpressionCompiler } from './expressions';
import { printValue } from './print';
import { compileRange } from './range';
import type { CompiledTemplate, Evaluate, Execute } from './run';
import { VariableSlots } from './scope';

/** Turns the trees of a file into closures; one pass, so that rendering touches no tree. */
export function compileTrees(trees: TreeSet, functions: GoFunctionTable): Map<string, CompiledTemplate> {
  const compiled = new Map<string, CompiledTemplate>();
  for (const [name, tree] of trees) {
    const compiler = new TemplateCompiler(functions);
    compiled.set(name, { name, execute: compiler.list(tree), slots: compiler.scope.slots });
  }
  return compiled;
}

const nothing: Execute = () => 'next';

export class TemplateCompiler {
  readonly scope = new VariableSlots();
  readonly expressions: ExpressionCompiler;

  constructor(functions: GoFunctionTable) {
    this.expressions = new ExpressionCompiler(functions, this.scope);
  }

  list(list: ListNode): Execute {
    const steps = list.nodes.map((node) => this.node(node)).filter((step) => step !== nothing);
    const [first, second, third] = steps;
    if (first === undefined) return nothing;
    if (second === undefined) return first;
    if (third === undefined) {
      return (run, dot) => {
        const signal = first(run, dot);
        return signal === 'next' ? second(run, dot) : signal;
      };
    }
    return (run, dot) => {
      for (let index = 0; index < steps.length; index++) {
        const signal = (steps[index] ?? nothing)(run, dot);
        if (signal !== 'next') return signal;
      }
      return 'next';
    };
  }

  private node(node: Node): Execute {
    switch (node.kind) {
      case 'text':
        return isAscii(node.text)
          ? (run) => {
              run.writeAscii(node.text);
              return 'next';
            }
          : (run) => {
              run.write(node.text);
              return 'next';
            };
      case 'action':
        return this.action(node, this.expressions.pipeline(node.pipe), node.pipe.declarations.length > 0);
      case 'if':
      case 'with':
        return this.scope.within(() => this.branch(node));
      case 'range':
        return this.scope.within(() => compileRange(this, node));
      case 'template':
        return this.template(node);
      case 'break':
      case 'continue':
        return () => node.kind;
      default:
        return nothing;
    }
  }

  private action(node: Node, evaluate: Evaluate, declares: boolean): Execute {
    if (declares) {
      return (run, dot) => {
        run.budget.step();
        evaluate(run, dot);
        return 'next';
      };
    }
    return (run, dot) => {
      run.budget.step();
      const value = evaluate(run, dot);
      if (typeof value === 'string') run.write(value);
      else printValue(run, node, value);
      return 'next';
    };
  }

  private branch(node: ControlNode): Execute {
    const condition = this.expressions.pipeline(node.pipe);
    const compile = () => this.list(node.list);
    const list = this.scope.within(node.kind === 'with' ? () => this.scope.withDot(-1, compile) : compile);
    const { elseList } = node;
    const otherwise = elseList === undefined ? nothing : this.scope.within(() => this.list(elseList));
    if (node.kind === 'with') {
      return (run, dot) => {
        run.budget.step();
        const value = condition(run, dot);
        return isTruth(value) ? list(run, value) : otherwise(run, dot);
      };
    }
    return (run, dot) => {
      run.budget.step();
      return isTruth(condition(run, dot)) ? list(run, dot) : otherwise(run, dot);
    };
  }

  private template(node: TemplateNode): Execute {
    const argument: Evaluate = node.pipe === undefined ? () => undefined : this.expressions.pipeline(node.pipe);
    return (run, dot) => {
      run.budget.step();
      run.node = node;
      if (!run.defines(node.name)) throw run.fail(`template ${run.quoted(node.name)} not defined`);
      const value: Value = argument(run, dot);
      run.node = node;
      run.call(node.name, value);
      return 'next';
    };
  }
}
