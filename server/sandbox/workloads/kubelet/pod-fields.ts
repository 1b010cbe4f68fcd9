import { arrayAt, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';

/** The value that a `fieldRef` names (Kubernetes fieldpath.ExtractFieldPathAsString), '' when the field is absent. */
export function fieldOf(pod: KubeObject, path: string): string {
  const [, map = '', key = ''] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? [];
  if (map !== '') return stringAt(objectAt(pod, 'metadata', map), key) ?? '';
  switch (path) {
    case 'metadata.name':
      return nameOf(pod);
    case 'metadata.namespace':
      return namespaceOf(pod);
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations':
      return Object.entries(objectAt(pod, 'metadata', path.slice('metadata.'.length)))
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join('\n');
    case 'status.podIPs':
      return arrayAt(pod, 'status', 'podIPs')
        .map((entry) => stringAt(entry, 'ip') ?? '')
        .join(',');
    default:
      return stringAt(pod, ...path.split('.')) ?? '';
  }
}

/** `spec.hostname`, or the pod's name. */
export function hostNameOf(pod: KubeObject): string {
  return stringAt(pod, 'spec', 'hostname') ?? nameOf(pod);
}

export function restartPolicyOf(pod: KubeObject): string {
  return stringAt(pod, 'spec', 'restartPolicy') ?? 'Always';
}
