import document from '@/lib/kube/builtin/protobuf.json';

/**
 * The fields of Kubernetes' protobuf messages by number (facts of k8s.io/api and apimachinery, release 1.32; numbers never
 * change). A line of the document is `number name type`; a type is a scalar, `list T`, `map T` (keys are text) or a message.
 */
export interface MessageField {
  readonly name: string;
  readonly kind: 'one' | 'list' | 'map';
  /** `string`, `bool`, `int`, `bytes`, `double`, or the name of a message. */
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

const API_GROUPS: { readonly [group: string]: string } = {
  '': 'core',
  'rbac.authorization.k8s.io': 'rbac',
  'networking.k8s.io': 'networking',
  'coordination.k8s.io': 'coordination',
  'authentication.k8s.io': 'authentication',
  'authorization.k8s.io': 'authorization',
  'scheduling.k8s.io': 'scheduling',
  'storage.k8s.io': 'storage',
  'certificates.k8s.io': 'certificates',
  'discovery.k8s.io': 'discovery',
  'events.k8s.io': 'events',
  'node.k8s.io': 'node',
};

/** The name of the message of a kind: `core.v1.Pod`, `rbac.v1.Role`. */
export function messageName(apiVersion: string, kind: string): string {
  if (kind === 'DeleteOptions') return 'meta:meta.v1.DeleteOptions';
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return `${API_GROUPS[group] ?? group}.${apiVersion.slice(slash + 1)}.${kind}`;
}
