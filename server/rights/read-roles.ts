import { getAt, parseJsonObject } from '@/lib/json/json';
import type { AccessQuestion } from '@/lib/kube/access';
import type { KubeObject } from '@/lib/kube/object';
import { type OperatorAction, rightsByAction } from '@/lib/kudo/view/action-rights';
import { type RoleRow, roleRows } from '@/lib/kudo/view/role-rows';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { codeOf, errorOfResponse, kubeErrorOf } from '@/server/kube/errors';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const MAX_REVIEW_BYTES = 64 * 1024;

/** Who may do what with operators, as far as the person may read roles and bindings. */
export interface FoundRoles {
  readonly rows: readonly RoleRow[];
  /** The API server's refusals of what could not be read. */
  readonly refusals: readonly string[];
}

/**
 * Reads roles and bindings with the person's own authority: of one namespace, or of all. What is refused is left out and named.
 *
 * @throws KubeError for any failure but a refusal, and the refusal when no binding at all may be read
 */
export async function readRoles(api: Api, namespace: string | undefined, signal: AbortSignal): Promise<FoundRoles> {
  const refused: Error[] = [];
  const list = async (resource: string, of?: string): Promise<readonly KubeObject[]> => {
    try {
      return (await api.list({ ...RBAC, resource, namespace: of }, { signal })).items;
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== 403) throw error;
      refused.push(error);
      return [];
    }
  };
  const [roles, clusterRoles, roleBindings, clusterRoleBindings] = await Promise.all([
    list('roles', namespace),
    list('clusterroles'),
    list('rolebindings', namespace),
    list('clusterrolebindings'),
  ]);
  const [first] = refused;
  if (first !== undefined && roleBindings.length === 0 && clusterRoleBindings.length === 0) throw first;
  const rows = roleRows({ roles, clusterRoles, roleBindings, clusterRoleBindings });
  return { rows, refusals: refused.map((error) => kubeErrorOf(error)?.message ?? error.message) };
}

/** Another user, and the groups that they are in. */
export interface CheckedSubject {
  readonly user: string;
  readonly groups: readonly string[];
}

/**
 * What another user or group may do in a namespace, by SubjectAccessReview with the person's own authority.
 *
 * @throws KubeError also when the person may not ask for others
 */
export async function checkSubject(
  api: Api,
  subject: CheckedSubject,
  namespace: string,
  signal: AbortSignal,
): Promise<{ readonly [action in OperatorAction]?: boolean }> {
  const answers = new Map<string, Promise<boolean>>();
  const ask = (question: AccessQuestion) => {
    const key = JSON.stringify(question);
    const answer = answers.get(key) ?? review(api, subject, question, signal);
    answers.set(key, answer);
    return answer;
  };
  const actions = Object.entries(rightsByAction);
  const allowed = await Promise.all(
    actions.map(async ([action, rights]) => {
      const each = await Promise.all(rights(namespace).map(ask));
      return [action, each.every(Boolean)] as const;
    }),
  );
  return Object.fromEntries(allowed);
}

async function review(
  api: Api,
  { user, groups }: CheckedSubject,
  { verb, group, resource: path, namespace }: AccessQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const [resource, subresource] = path.split('/');
  const resourceAttributes = { verb, group, resource, subresource, namespace };
  const spec = { ...(user === '' ? {} : { user }), groups, resourceAttributes };
  const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  // A signal of its own: Node warns of more than ten listeners of one.
  const own = AbortSignal.any([signal]);
  const response = await api.raw({ method: 'POST', path: reviews, headers, body, signal: own });
  const text = await readText(response.body, MAX_REVIEW_BYTES);
  if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
  return getAt(parseJsonObject(text) ?? {}, 'status', 'allowed') === true;
}
