/** The type of a parameter whose value names another Instance, or an external connection. KUDO takes its value as text. */
export const INSTANCE_TYPE = 'instance';

/**
 * What a value names: an Instance (`zk`, or `data/zk` in another namespace), or a Secret or ConfigMap of the same namespace
 * that describes a connection (`Secret/zk`, `ConfigMap/zk`). Namespaces have no upper-case letters, so both are told apart.
 */
export interface ReferenceTarget {
  readonly kind: 'Instance' | 'Secret' | 'ConfigMap';
  readonly namespace: string;
  readonly name: string;
}

const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;

/** What a value names; undefined for a text that names nothing. */
export function parseReference(value: string, home: string): ReferenceTarget | undefined {
  const [first = '', second, ...rest] = value.split('/');
  if (rest.length > 0) return undefined;
  const [scope, name] = second === undefined ? ['', first] : [first, second];
  if (!NAME.test(name)) return undefined;
  if (scope === 'Secret' || scope === 'ConfigMap') return { kind: scope, namespace: home, name };
  if (scope !== '' && !NAME.test(scope)) return undefined;
  return { kind: 'Instance', namespace: scope === '' ? home : scope, name };
}

/** What is wrong with a value of that type; undefined when it names something, and for no value. */
export function referenceTextProblem(text: string): string | undefined {
  if (text === '' || parseReference(text, 'default') !== undefined) return undefined;
  return `type is "instance" but "${text}" names nothing: write NAME, NAMESPACE/NAME, Secret/NAME or ConfigMap/NAME`;
}
