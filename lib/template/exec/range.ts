import { formatValue } from '../format/print';
import type { ControlNode, ListNode } from '../parse/nodes';
import { GoInt, GoMap, GoSlice, int, type Value } from '../value/value';
import type { ExpressionCompiler } from './expressions';
import type { Execute, Rendering } from './run';
import type { VariableSlots } from './scope';

/** The compiler of the surrounding nodes. */
interface Surroundings {
  readonly scope: VariableSlots;
  readonly expressions: ExpressionCompiler;
  list(list: ListNode): Execute;
}

type OneRound = (run: Rendering, index: Value, element: Value) => boolean;

/**
 * `range` over lists, maps in the order of their keys, and integers (text/template walkRange). Variables of the
 * pipeline hold the whole collection until the first iteration, and so in the else branch.
 */
export function compileRange(compiler: Surroundings, node: ControlNode): Execute {
  const collection = compiler.expressions.pipeline(node.pipe);
  const slots = node.pipe.declarations.map((variable) => compiler.scope.find(variable.names[0] ?? ''));
  const { scope } = compiler;
  const typeSlot = scope.declareType();
  const [first = -1, second = -1] = slots;
  const [indexSlot, elementSlot] = slots.length > 1 ? [first, second] : [-1, first];

  if (elementSlot >= 0) scope.typed(elementSlot, typeSlot);
  const body = scope.within(() => scope.withDot(typeSlot, () => compiler.list(node.list)));

  const { elseList } = node;
  const otherwise: Execute =
    elseList === undefined ? () => 'next' : compiler.scope.within(() => compiler.list(elseList));

  const oneRound: OneRound = (run, index, element) => {
    run.budget.step();
    if (indexSlot >= 0) run.variables[indexSlot] = index;
    if (elementSlot >= 0) run.variables[elementSlot] = element;
    return body(run, element) !== 'break';
  };
  return (run, dot) => {
    run.budget.step();
    run.node = node;
    const value = collection(run, dot);
    run.variables[typeSlot] = hasAnyElements(value);
    return rounds(run, value, slots.length, oneRound) ? 'next' : otherwise(run, dot);
  };
}

/** True when Go sees the elements as `interface {}`, which its messages then name instead of what is in it. */
function hasAnyElements(value: Value): boolean {
  return (value instanceof GoSlice || value instanceof GoMap) && value.type.elem?.name === 'interface {}';
}

/** False when the collection is empty. */
function rounds(run: Rendering, value: Value, variables: number, oneRound: OneRound): boolean {
  if (value === undefined || value === null) return false;
  if (value instanceof GoSlice) return roundsOfSlice(run, value, oneRound);
  if (value instanceof GoMap) {
    const keys = value.keys();
    // Go sorts keys and takes the values before the first iteration.
    const members = keys.map((key) => value.get(key));
    for (const [index, key] of keys.entries()) if (!oneRound(run, key, members[index])) break;
    return keys.length > 0;
  }
  if (value instanceof GoInt) {
    if (variables > 1) {
      throw run.fail(`can't use ${formatValue(value, run.budget)} to iterate over more than one variable`);
    }
    return roundsOfInt(run, value, oneRound);
  }
  throw run.fail(`range can't iterate over ${formatValue(value, run.budget)}`);
}

function roundsOfSlice(run: Rendering, value: GoSlice, oneRound: OneRound): boolean {
  const { items } = value;
  for (let index = 0; index < items.length; index++) if (!oneRound(run, int(index), items[index])) break;
  return items.length > 0;
}

function roundsOfInt(run: Rendering, value: GoInt, oneRound: OneRound): boolean {
  for (let count = 0n; count < value.value; count++) {
    if (!oneRound(run, undefined, new GoInt(value.type, count))) break;
  }
  return value.value > 0n;
}
