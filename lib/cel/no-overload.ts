import { type CelValue, typeNameOf } from './values';

/**
 * cel-go's error for values that a function has no overload for.
 *
 * @param overload the overload that types determined; empty when there were several
 */
export function noOverload(name: string, overload: string, isMember: boolean, args: readonly CelValue[]): string {
  const types = args.map(typeNameOf);
  if (PLAIN_NAMES.has(name)) return `no such overload: ${name}(${types.join(', ')})`;
  const isKnown = OPERANDS[name]?.split(' ').includes(types[0] ?? '') === true;
  if (OPERATORS.has(name) && (overload !== '' || isKnown)) return 'no such overload';
  if (overload === '') return `no such overload: ${name}`;
  const target = isMember ? `${types.shift() ?? ''}.` : '';
  return `no such overload: ${target}${name}(${types.join(', ')})`;
}

const ORDERED = 'bool int uint double string bytes google.protobuf.Timestamp google.protobuf.Duration';
/** The types that have an operator; all others get the same error. */
const OPERANDS: { readonly [name: string]: string } = {
  ...{ '_<_': ORDERED, '_<=_': ORDERED, '_>_': ORDERED, '_>=_': ORDERED },
  ...{
    '_+_': ORDERED.replace('bool ', 'list '),
    '_-_': 'int uint double google.protobuf.Timestamp google.protobuf.Duration',
  },
  ...{
    '_*_': 'int uint double',
    '_/_': 'int uint double',
    '_%_': 'int uint',
    '-_': 'int double',
    '!_': 'bool',
    size: '',
    '@in': 'list map',
  },
};
const OPERATORS = new Set([...Object.keys(OPERANDS), 'startsWith', 'endsWith', 'contains', 'matches']);
const PLAIN_NAMES = new Set(
  'int uint double bool bytes string duration timestamp max min sum join isSorted indexOf lastIndexOf'.split(' '),
);
