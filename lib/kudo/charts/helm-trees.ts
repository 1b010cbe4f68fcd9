import type { CommandNode, ExpressionNode, ListNode, Node, PipeNode } from '@/lib/template/parse/nodes';
import { parseTrees, type TreeSet } from '@/lib/template/parse/parser';
import { TemplateError } from '@/lib/template/template-error';
import { toBytes } from '@/lib/template/value/bytes';
import { type PackageProblem, problemAt } from '../package/types';
import type { Chart } from './read-chart';

/** A definition or a file of a chart, and where it is. */
export interface HelmTree {
  readonly tree: ListNode;
  readonly file: string;
  /** The text of the file as a byte string, for lines. */
  readonly text: string;
  readonly chart: Chart;
}

/** Every file below templates/ (by path) and every definition (by name) of a chart and its subcharts. */
export interface HelmTrees {
  readonly trees: ReadonlyMap<string, HelmTree>;
  readonly problems: readonly PackageProblem[];
}

/** Parses all templates of a chart. Of two definitions with one name the later file wins, and the parent before its subcharts, as in Helm. */
export function parseChart(chart: Chart, functions: ReadonlySet<string>): HelmTrees {
  const trees = new Map<string, HelmTree>();
  const problems: PackageProblem[] = [];
  const visit = (each: Chart): void => {
    for (const subchart of each.subcharts.values()) visit(subchart);
    for (const [file, source] of each.templates) {
      if (!/\.(ya?ml|tpl|txt)$/.test(file)) continue;
      const text = toBytes(source);
      for (const [name, tree] of parseFile(file, text, functions, problems)) {
        trees.set(name, { tree: new Rewriter(each.folder).list(tree), file, text, chart: each });
      }
    }
  };
  visit(chart);
  return { trees, problems };
}

function parseFile(file: string, text: string, functions: ReadonlySet<string>, problems: PackageProblem[]): TreeSet {
  try {
    return parseTrees(text, {
      fileName: file,
      trees: new Map(),
      hasFunction: (name) => functions.has(name),
      whyAbsent: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    problems.push(problemAt(file, error.place.line, error.goMessage));
    return new Map();
  }
}

/** The line of a node, from 1. */
export function lineOfNodeIn({ text }: Pick<HelmTree, 'text'>, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** Replaces the methods of `.Capabilities` and `.Files` by functions, because the engine has no such objects. */
class Rewriter {
  constructor(private readonly folder: string) {}

  list(list: ListNode): ListNode {
    return { ...list, nodes: list.nodes.map((node) => this.node(node)) };
  }

  private node(node: Node): Node {
    switch (node.kind) {
      case 'action':
        return { ...node, pipe: this.pipe(node.pipe) };
      case 'template':
        return node.pipe === undefined ? node : { ...node, pipe: this.pipe(node.pipe) };
      case 'if':
      case 'with':
      case 'range': {
        const elseList = node.elseList === undefined ? undefined : this.list(node.elseList);
        return { ...node, pipe: this.pipe(node.pipe), list: this.list(node.list), elseList };
      }
      default:
        return node;
    }
  }

  private pipe(pipe: PipeNode): PipeNode {
    return { ...pipe, commands: pipe.commands.map((command) => this.command(command)) };
  }

  private command(command: CommandNode): CommandNode {
    const [first, ...rest] = command.arguments;
    if (first === undefined) return command;
    const others = rest.map((each) => this.expression(each));
    const method = 'names' in first ? first.names.slice(-2).join('.') : '';
    const { at } = first;
    if (method === 'APIVersions.Has') {
      return { ...command, arguments: [{ kind: 'identifier', at, name: 'hasApiVersion' }, ...others] };
    }
    if (method === 'Files.Get') {
      const folder: ExpressionNode = { kind: 'string', at, literal: JSON.stringify(this.folder), value: this.folder };
      return { ...command, arguments: [{ kind: 'identifier', at, name: 'chartFile' }, folder, ...others] };
    }
    return { ...command, arguments: [this.expression(first), ...others] };
  }

  private expression(node: ExpressionNode): ExpressionNode {
    if (node.kind === 'pipe') return this.pipe(node);
    return node.kind === 'chain' ? { ...node, base: this.expression(node.base) } : node;
  }
}
