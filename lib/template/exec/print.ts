import { formatValue } from '../format/print';
import type { Node } from '../parse/nodes';
import type { Value } from '../value/value';
import type { Rendering } from './run';

/** Writes the value of an action, as fmt.Fprint prints it; no value is `<no value>` (text/template printValue). */
export function printValue(run: Rendering, node: Node, value: Value): void {
  run.node = node;
  run.write(value === undefined || value === null ? '<no value>' : formatValue(value, run.budget));
}
