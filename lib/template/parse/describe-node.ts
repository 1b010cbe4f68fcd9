import { quote } from '../format/quote';
import type { Node, PipeNode } from './nodes';

/** The text of a node as Go's error messages show it (Node.String of text/template/parse). */
export function describeNode(node: Node): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'list':
      return node.nodes.map(describeNode).join('');
    case 'action':
      return `{{${describePipe(node.pipe)}}}`;
    case 'break':
    case 'continue':
      return `{{${node.kind}}}`;
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe === undefined ? '' : ` ${describePipe(node.pipe)}`}}}`;
    case 'if':
    case 'with':
    case 'range': {
      const rest = node.elseList === undefined ? '' : `{{else}}${describeNode(node.elseList)}`;
      return `{{${node.kind} ${describePipe(node.pipe)}}}${describeNode(node.list)}${rest}{{end}}`;
    }
    case 'command':
      return node.arguments
        .map((each) => (each.kind === 'pipe' ? `(${describePipe(each)})` : describeNode(each)))
        .join(' ');
    case 'pipe':
      return describePipe(node);
    case 'identifier':
      return node.name;
    case 'field':
      return node.names.map((name) => `.${name}`).join('');
    case 'variable':
      return node.names.join('.');
    case 'chain': {
      const base = node.base.kind === 'pipe' ? `(${describePipe(node.base)})` : describeNode(node.base);
      return base + node.names.map((name) => `.${name}`).join('');
    }
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.literal;
  }
}

function describePipe(pipe: PipeNode): string {
  const names = pipe.declarations.map(describeNode).join(', ');
  const start = names === '' ? '' : `${names} ${pipe.isAssign ? '=' : ':='} `;
  return start + pipe.commands.map(describeNode).join(' | ');
}
