import type { CommandNode, ExpressionNode, ListNode, PipeNode } from '@/lib/template/parse/nodes';

/** The variables of a template that are assigned again after their declaration. */
export function assignedVariables(list: ListNode): Set<string> {
  const found = new Set<string>();
  const visit = ({ nodes }: ListNode): void => {
    for (const node of nodes) {
      if (node.kind === 'action' && node.pipe.isAssign) {
        for (const { names } of node.pipe.declarations) found.add(names[0] ?? '');
      }
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') continue;
      visit(node.list);
      if (node.elseList !== undefined) visit(node.elseList);
    }
  };
  visit(list);
  return found;
}

/** The number of `nindent 4`, when the command is a call of that function with a number written there. */
export function numberOfCall(command: CommandNode | undefined, name: string): number | undefined {
  const [fn, amount, more] = command?.arguments ?? [];
  if (fn?.kind !== 'identifier' || fn.name !== name || amount?.kind !== 'number' || more !== undefined)
    return undefined;
  return Number(amount.text);
}

/** Functions whose text may have several lines. */
const SEVERAL_LINES = new Set([
  'toYaml',
  'nindent',
  'indent',
  'tpl',
  'toPrettyJson',
  'toPrettyRawJson',
  'chartFile',
  'b64dec',
]);

/** True for a template whose text has one line, if its values have: no line break of its own, and no function that makes some. */
export function isOneLine(list: ListNode, trees: ReadonlyMap<string, { readonly tree: ListNode }>, depth = 0): boolean {
  if (depth > 8) return false;
  const isLine = (name: string): boolean => {
    const source = trees.get(name);
    return source !== undefined && isOneLine(source.tree, trees, depth + 1);
  };
  return list.nodes.every((node) => {
    switch (node.kind) {
      case 'text':
        return !node.text.includes('\n');
      case 'action':
        return isLinePipe(node.pipe, isLine);
      case 'if':
      case 'with':
        return (
          isOneLine(node.list, trees, depth) && (node.elseList === undefined || isOneLine(node.elseList, trees, depth))
        );
      default:
        return false;
    }
  });
}

function isLinePipe(pipe: PipeNode, isLine: (name: string) => boolean): boolean {
  const isLineOperand = (node: ExpressionNode): boolean => (node.kind === 'pipe' ? isLinePipe(node, isLine) : true);
  return pipe.commands.every(({ arguments: [first, ...rest] }) => {
    if (first?.kind !== 'identifier') return first === undefined || isLineOperand(first);
    if (SEVERAL_LINES.has(first.name)) return false;
    const [name] = rest;
    if (first.name === 'include') return name?.kind === 'string' && isLine(name.value);
    return rest.every(isLineOperand);
  });
}
