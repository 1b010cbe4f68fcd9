import {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listTypeOf,
  mapTypeOf,
  NULL,
  opaqueType,
  optionalOf,
  paramType,
  STRING,
  structType,
  TIMESTAMP,
  TYPE,
  typeOf,
  UINT,
} from './cel-type';
import { KUBERNETES_FUNCTIONS } from './declared/kubernetes-functions';
import { LIST_AND_TEXT_FUNCTIONS } from './declared/list-and-text-functions';
import { STANDARD_FUNCTIONS } from './declared/standard-functions';

/** One way to call a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  /** Of a member function the target first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  /** Names of its type parameters. */
  readonly params: readonly string[];
}

const SIMPLE: { readonly [name: string]: CelType } = {
  bool: BOOL,
  bytes: BYTES,
  double: DOUBLE,
  duration: DURATION,
  dyn: DYN,
  int: INT,
  'net.CIDR': opaqueType('net.CIDR'),
  'net.IP': opaqueType('net.IP'),
  string: STRING,
  timestamp: TIMESTAMP,
  uint: UINT,
};

/** Reads `map(string, list(A))`; one capital letter is a type parameter, a name with dots a library's type. */
function readType(text: string): CelType {
  const open = text.indexOf('(');
  if (open === -1) return SIMPLE[text] ?? (/^[A-Z]$/.test(text) ? paramType(text) : structType(text));
  const [first = DYN, second = DYN] = splitTypes(text.slice(open + 1, -1)).map(readType);
  switch (text.slice(0, open)) {
    case 'list':
      return listTypeOf(first);
    case 'map':
      return mapTypeOf(first, second);
    case 'type':
      return typeOf(first);
    default:
      return optionalOf(first);
  }
}

function splitTypes(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const each of text) {
    depth += each === '(' ? 1 : each === ')' ? -1 : 0;
    if (each !== ',' || depth > 0) part += each;
    else {
      parts.push(part.trim());
      part = '';
    }
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}

/** `name overload_id target.(arguments) result`. */
function readLine(line: string): readonly [string, Overload] {
  const [, name = '', id = '', target, args = '', result = ''] =
    /^(\S+) (\S+) (?:(\S.*?)\.)?\[(.*)\] (.*)$/.exec(line) ?? [];
  const given = splitTypes(args).map(readType);
  const types = target === undefined ? given : [readType(target), ...given];
  const params = new Set<string>();
  for (const type of [...types, readType(result)]) collectParams(type, params);
  return [name, { id, isMember: target !== undefined, args: types, result: readType(result), params: [...params] }];
}

function collectParams(type: CelType, found: Set<string>): void {
  if (type.kind === 'param') found.add(type.name);
  for (const each of type.params) collectParams(each, found);
}

function readAll(): ReadonlyMap<string, readonly Overload[]> {
  const functions = new Map<string, Overload[]>();
  for (const line of [STANDARD_FUNCTIONS, LIST_AND_TEXT_FUNCTIONS, KUBERNETES_FUNCTIONS].join('\n').split('\n')) {
    if (line.trim() === '') continue;
    const [name, overload] = readLine(line.trim());
    const known = functions.get(name);
    if (known === undefined) functions.set(name, [overload]);
    else known.push(overload);
  }
  return functions;
}

/** Every function that expressions of Kubernetes 1.36 may call, by name. */
export const FUNCTIONS = readAll();

const optional = opaqueType('optional_type');

/** Types that are named in expressions, as in `type(x) == int`. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map(
  [
    ...[BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, TYPE, UINT],
    ...[listTypeOf(DYN), mapTypeOf(DYN, DYN), optional, opaqueType('net.IP'), opaqueType('net.CIDR')],
    ...['Quantity', 'URL', 'Semver', 'NamedFormat'].map((name) => structType(`kubernetes.${name}`)),
    ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map((name) =>
      structType(`kubernetes.authorization.${name}`),
    ),
  ].map((type) => [type.name, type] as const),
);

export const isParam = (type: CelType): boolean => type.kind === 'param';
export { CelType };
