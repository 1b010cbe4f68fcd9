import document from '@/lib/kube/builtin/protobuf.json';
import { parseApiVersion } from '@/lib/kube/object';

/**
 * The fields of Kubernetes' protobuf messages by number (facts of k8s.io/api and apimachinery, release 1.32; numbers never
 * change). A line of the document is `number name type`; a type is a scalar, `list T`, `map T` (keys are text) or a message.
 */
export interface MessageField {
  readonly name: string;
  readonly kind: 'one' | 'list' | 'map';
  /** `string`, `bool`, `int`, `bytes`, or the name of a message. */
  readonly type: string;
}

export type MessageFields = ReadonlyMap<number, MessageField>;

const parsed = new Map<string, MessageFields>();
const texts = document as { readonly [name: string]: string };

/** The fields of a message by its short name (`core.v1.Pod`), or undefined when it is not known. */
export function messageFields(name: string): MessageFields | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (text === undefined) return undefined;
  const fields = new Map(text === '' ? [] : text.split('; ').map(parseField));
  parsed.set(name, fields);
  return fields;
}

function parseField(text: string): [number, MessageField] {
  const [number = '', name = '', first = '', second] = text.split(' ');
  if (second === undefined) return [Number(number), { name, kind: 'one', type: first }];
  return [Number(number), { name, kind: first === 'map' ? 'map' : 'list', type: second }];
}

/** The name of the message of a kind: `core.v1.Pod`, `rbac.v1.Role`. */
export function messageName(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta:meta.v1.DeleteOptions';
  const { group, version } = parseApiVersion(apiVersion);
  return `${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`;
}
