import { formatValue } from '../format/print';
import type { Node } from '../parse/nodes';
import type { Value } from '../value/value';
import type { Rendering } from './run';

/** Writes what an action gives, as fmt.Fprint prints it; nothing is `<no value>` (text/template printValue). */
export function printValue(run: Rendering, node: Node, value: Value): void {
  run.node = node;
  run.write(value === undefined || value === null ? '<no value>' : formatValue(value, run.budget));
}
