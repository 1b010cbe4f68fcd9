import type { Node, PipeNode } from './parse/nodes';
import type { TreeSet } from './parse/parser';
import { toLooseText } from './value/bytes';

/** A use of a variable: its name, the line from 1, the column in bytes from 0. */
export interface Reference {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The nodes of a template that are searched. */
interface ReadTemplate {
  readonly trees: TreeSet;
  readonly compiled: { readonly text: string };
}

/** Every `.Params.X` and `$.Params.X` of a template and of what it defines, in the order of the text. */
export function templateParameters(template: ReadTemplate): Reference[] {
  return referencesBelow(template, 'Params');
}

/** Every `.Pipes.X` and `$.Pipes.X`. */
export function templatePipes(template: ReadTemplate): Reference[] {
  return referencesBelow(template, 'Pipes');
}

function referencesBelow(template: ReadTemplate, root: string): Reference[] {
  const found: { readonly name: string; readonly at: number }[] = [];
  for (const tree of template.trees.values()) visit(tree, root, (name, at) => found.push({ name, at }));
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ name, at }) => ({ name: toLooseText(name), ...placeOf(template, at) }));
}

function placeOf(template: ReadTemplate, at: number): { line: number; column: number } {
  const before = template.compiled.text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') - 1 };
}

function visit(node: Node, root: string, report: (name: string, at: number) => void): void {
  const inPipe = (pipe: PipeNode | undefined): void => {
    for (const command of pipe?.commands ?? []) for (const each of command.arguments) visit(each, root, report);
  };
  switch (node.kind) {
    case 'list':
      for (const each of node.nodes) visit(each, root, report);
      return;
    case 'action':
    case 'template':
      inPipe(node.pipe);
      return;
    case 'if':
    case 'with':
    case 'range':
      inPipe(node.pipe);
      visit(node.list, root, report);
      if (node.elseList !== undefined) visit(node.elseList, root, report);
      return;
    case 'pipe':
      inPipe(node);
      return;
    case 'chain':
      visit(node.base, root, report);
      return;
    case 'field':
    case 'variable': {
      const names = node.kind === 'variable' ? (node.names[0] === '$' ? node.names.slice(1) : []) : node.names;
      const [first, second] = names;
      if (first === root && second !== undefined) report(second, node.at);
      return;
    }
    default:
  }
}
