import type { Clock } from '@/lib/clock/clock';
import { getAt, parseJsonObject } from '@/lib/json/json';
import type { AdmissionDecision, JudgeStart } from '@/lib/kudo/admission/admission-decision';
import type { RequestAuthor } from '@/lib/kudo/admission/review';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { destroyRefusal } from '@/lib/kudo/plan-metadata/destroy-right';
import { DESTROY_VERB } from '@/lib/kudo/plan-metadata/destroy-verb';
import type { Instance } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { errorOfResponse } from '@/server/kube/errors';

/** Asked in the namespace, so that a controller without rights to the whole cluster may ask it too. */
const pathIn = (namespace: string) =>
  `/apis/authorization.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/localsubjectaccessreviews`;
const MAX_REVIEW_BYTES = 64 * 1024;

interface Asker {
  readonly api: Api;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly author: RequestAuthor;
}

/**
 * Decides with the right of the author to start a destructive plan. Which plan starts only the decision knows: it is made a second time when
 * that plan is destructive and the author lacks the right. Other writes cost nothing.
 *
 * @throws KubeError when the API server does not answer: the write is tried again, and never let pass unasked
 */
export async function decideWithDestroyRight(
  asker: Asker,
  decide: (judgeAuthor: JudgeStart) => Promise<AdmissionDecision>,
): Promise<AdmissionDecision> {
  const started: Instance[] = [];
  const first = await decide(({ instance }) => {
    started.push(instance);
    return undefined;
  });
  const [instance] = started;
  if (instance === undefined) return first;
  const problem = await refusalOf(asker, instance.metadata);
  if (problem === undefined) return first;
  return decide((start) => problem(start.instance, start.plan));
}

type Words = (instance: Instance, plan: string) => string;

async function refusalOf(asker: Asker, { namespace = '', name }: Instance['metadata']): Promise<Words | undefined> {
  const { user, uid, groups, extra } = asker.author;
  const { group, version, resource } = INSTANCES;
  const resourceAttributes = { verb: DESTROY_VERB, group, version, resource, namespace, name };
  const spec = { user, uid, groups, extra, resourceAttributes };
  // The API server wants the namespace of the path here too.
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    metadata: { namespace },
    spec,
  });
  return withDeadline(asker.clock, limits.readDeadlineMs, asker.signal, async (signal) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await asker.api.raw({ method: 'POST', path: pathIn(namespace), headers, body, signal });
    const text = await readText(response.body, MAX_REVIEW_BYTES);
    if (response.status === 403) return notAsked;
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    const isAllowed = getAt(parseJsonObject(text) ?? {}, 'status', 'allowed') === true;
    return isAllowed ? undefined : (instance, plan) => destroyRefusal(instance, plan, `User "${user}"`);
  });
}

/** A controller with too few rights refuses: to let pass what cannot be checked would make the right worthless. */
const notAsked: Words = ({ metadata }, plan) =>
  `plan "${plan}" of Instance ${metadata.name ?? ''} deletes or replaces data, and the controller may not ask whether you may start it. Grant its account "create" on localsubjectaccessreviews.authorization.k8s.io`;
