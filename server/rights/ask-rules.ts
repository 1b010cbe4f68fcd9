import type { Clock } from '@/lib/clock/clock';
import type { AccessQuestion } from '@/lib/kube/access';
import { type AccessRules, readAccessRules } from '@/lib/kube/access-rules';
import { limits } from '@/lib/limits/limits';
import { askAccess, type Reviewer } from '@/server/auth/access-reviews';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { codeOf, errorOfResponse } from '@/server/kube/errors';

const PATH = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
/** A person with thousands of rules in a namespace is none that this console can serve. */
const MAX_REVIEW_BYTES = 4 * 1024 * 1024;

const NO_RULES: AccessRules = { rules: [], incomplete: false };
const UNKNOWN_RULES: AccessRules = { rules: [], incomplete: true };

/**
 * The rules of a person in a namespace. A person who may not ask, or whose credentials the API server refuses, has none; an API
 * server without this review has incomplete ones, so that each resource is asked for.
 * @throws KubeError while the API does not answer
 */
export async function askRules({ api }: Reviewer, clock: Clock, namespace: string): Promise<AccessRules> {
  const kind = 'SelfSubjectRulesReview';
  const body = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind, spec: { namespace } });
  return withDeadline(clock, limits.readDeadlineMs, undefined, async (signal) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await api.raw({ method: 'POST', path: PATH, headers, body, signal });
    const text = await readText(response.body, MAX_REVIEW_BYTES);
    if (response.status === 401 || response.status === 403) return NO_RULES;
    if (response.status === 404) return UNKNOWN_RULES;
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    return readAccessRules(JSON.parse(text));
  });
}

/** Whether a person may do it; false when the API server refuses the question. @throws KubeError while the API does not answer */
export async function askIsAllowed({ api }: Reviewer, clock: Clock, question: AccessQuestion): Promise<boolean> {
  try {
    return (await askAccess(api, clock, question)).allowed;
  } catch (error) {
    if (error instanceof Error && [401, 403].includes(codeOf(error))) return false;
    throw error;
  }
}
