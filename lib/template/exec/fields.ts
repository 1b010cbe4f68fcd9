import { quote } from '../format/quote';
import type { GoFunction } from '../functions/define';
import { isLowerCase, methodOf } from '../functions/methods';
import { GoMap, GoObject, type Value } from '../value/value';
import type { CallSite } from './call';
import { goTypeNameOf, type Rendering } from './run';

/**
 * One step of `.A.B.C` (text/template evalField): a method, a field, or a member of a map; a missing key is an error.
 * `isMember`: the receiver is a member of a map or list, whose static type is `interface {}`.
 */
export function selectField(run: Rendering, site: CallSite, receiver: Value, isMember: boolean): Value {
  const { name } = site;
  const hasArguments = site.hasFinal || site.arguments.length > 0;
  if (receiver instanceof GoMap) {
    if (hasArguments) throw run.fail(`${name} is not a method but has arguments`);
    const member = receiver.get(name);
    return member === undefined ? missingMember(run, name) : member;
  }
  if (receiver === undefined) throw run.fail(`nil data; no entry for key ${quote(name)}`);
  const type = isMember ? 'interface {}' : goTypeNameOf(receiver);
  if (receiver === null) throw run.fail(`nil pointer evaluating ${type}.${name}`);
  if (receiver instanceof GoObject) {
    const field = receiver.fields().find(([each]) => each === name);
    if (field !== undefined) {
      if (isLowerCase(name)) throw run.fail(`${name} is an unexported field of struct type ${type}`);
      if (hasArguments) throw run.fail(`${name} has arguments but cannot be invoked as function`);
      return field[1];
    }
  }
  throw run.fail(`can't evaluate field ${name} in type ${type}`);
}

/** A member that is null is there; only undefined is missing. */
function missingMember(run: Rendering, name: string): Value {
  if (run.missingKey === 'zero') return null;
  throw run.fail(`map has no entry for key ${quote(name)}`);
}

/** The method of a value, if it has one of this name. */
export function findMethod(receiver: Value, name: string): GoFunction | undefined {
  return typeof receiver === 'object' && receiver !== null ? methodOf(receiver, name) : undefined;
}
