import type { KubeObject } from '@/lib/kube/object';
import { installationSteps } from './manifests';
import type { InstallationOptions } from './options';

/**
 * What a removal deletes, the last that was installed first: everything of an installation with a console, and of both roles of the controller, whatever
 * the flags of its installation were, but neither CRDs nor the namespace.
 */
export function removableObjects(options: InstallationOptions): KubeObject[] {
  const console = { signIn: 'token', url: undefined, mayImpersonate: true } as const;
  const all = (['narrow', 'cluster-admin'] as const).flatMap((controllerRole) =>
    installationSteps({ ...options, console, controllerRole })
      .filter(({ step }) => step !== 'crds' && step !== 'namespace')
      .flatMap(({ objects }) => objects),
  );
  const byTitle = new Map(all.map((object) => [titleOf(object), object]));
  return [...byTitle.values()].sort((a, b) => rankOf(b) - rankOf(a));
}

/** Deployments go first, rights last: a controller that ends gives its lease back. */
const ORDER = ['ServiceAccount', 'ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding', 'Service'];

function rankOf({ kind }: KubeObject): number {
  if (kind === 'Deployment') return ORDER.length + 1;
  const place = ORDER.indexOf(kind);
  return place === -1 ? ORDER.length : place;
}

function titleOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
