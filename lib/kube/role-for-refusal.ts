import type { AccessQuestion } from './access';

const REFUSAL =
  /User "([^"]+)" cannot (\w+) resource "([^"]+)" in API group "([^"]*)" (?:in the namespace "([^"]+)"|at the cluster scope)/;

/**
 * The Role (ClusterRole, where the refusal was at the cluster's scope) and its binding that would allow what the API server
 * refused, as YAML; undefined when the text is no refusal by RBAC. Reading is granted whole: get, list and watch.
 *
 * Source of the text: Kubernetes apiserver, `responsewriters.ForbiddenMessage`.
 */
export function roleForRefusal(message: string): string | undefined {
  const [, user, verb, resource, group, namespace] = REFUSAL.exec(message) ?? [];
  if (user === undefined || verb === undefined || resource === undefined || group === undefined) return undefined;
  return roleFor({ user, verb, resource, group, namespace });
}

/** The Role or ClusterRole with its binding that allows one verb, as YAML. Reading is granted whole: get, list and watch. */
export function roleFor({
  user,
  verb,
  resource,
  group,
  namespace,
}: AccessQuestion & { readonly user: string }): string {
  const verbs = READING.includes(verb) ? READING : [verb];
  const name = `bravo-${READING.includes(verb) ? 'read' : verb}-${resource.replace(/[^a-z0-9.-]/g, '-')}`;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const place = namespace === undefined ? [] : [`  namespace: ${namespace}`];
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${kind}`,
    'metadata:',
    `  name: ${name}`,
    ...place,
    'rules:',
    `  - apiGroups: [${JSON.stringify(group)}]`,
    `    resources: [${JSON.stringify(resource)}]`,
    `    verbs: [${verbs.join(', ')}]`,
    '---',
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${kind}Binding`,
    'metadata:',
    `  name: ${name}`,
    ...place,
    'roleRef:',
    '  apiGroup: rbac.authorization.k8s.io',
    `  kind: ${kind}`,
    `  name: ${name}`,
    'subjects:',
    '  - apiGroup: rbac.authorization.k8s.io',
    '    kind: User',
    `    name: ${JSON.stringify(user)}`,
    '',
  ].join('\n');
}

const READING: readonly string[] = ['get', 'list', 'watch'];
