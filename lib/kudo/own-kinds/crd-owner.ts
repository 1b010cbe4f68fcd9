import { isJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/** Field managers of the API server and of controllers that only write the status. */
const NOT_OWNERS = new Set(['kube-apiserver', 'kube-controller-manager']);

/** Who brought a CRD, as far as its labels, annotations and field managers say: a line each, the surest first. */
export function crdOwner({ metadata }: KubeObject): string[] {
  const { labels = {}, annotations = {} } = metadata;
  const release = annotations['meta.helm.sh/release-name'];
  const place = annotations['meta.helm.sh/release-namespace'];
  const lines = [
    release === undefined ? undefined : `Helm release ${release}${place === undefined ? '' : ` in namespace ${place}`}`,
    ...Object.keys(labels)
      .filter((label) => label.startsWith('operators.coreos.com/'))
      .map((label) => `OLM operator ${label.slice('operators.coreos.com/'.length)}`),
    line('Argo CD application', annotations['argocd.argoproj.io/tracking-id']?.split(':')[0]),
    line('Flux Kustomization', labels['kustomize.toolkit.fluxcd.io/name']),
    line('label app.kubernetes.io/managed-by', labels['app.kubernetes.io/managed-by']),
    line('label app.kubernetes.io/name', labels['app.kubernetes.io/name'] ?? labels.app),
    line('field manager', managersOf(metadata.managedFields).join(', ') || undefined),
  ];
  return lines.filter((each) => each !== undefined);
}

function line(what: string, name: string | undefined): string | undefined {
  return name === undefined || name === '' ? undefined : `${what} ${name}`;
}

/** Who wrote more than the status. */
function managersOf(managedFields: unknown): string[] {
  const entries = Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
  const names = entries
    .filter((entry) => stringAt(entry, 'subresource') === undefined)
    .map((entry) => stringAt(entry, 'manager') ?? '')
    .filter((name) => name !== '' && !NOT_OWNERS.has(name));
  return [...new Set(names)];
}
