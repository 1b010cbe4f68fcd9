import type { Clock } from '@/lib/clock/clock';
import { arrayAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { Refusal } from '@/server/http/problem';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { errorOfResponse } from '@/server/kube/errors';
import type { Person } from './claims';

const PATH = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const BODY = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
const MAX_BYTES = 256 * 1024;
const ANONYMOUS = 'system:anonymous';

/**
 * Who the API server takes the sender for (authentication.k8s.io/v1 SelfSubjectReview).
 *
 * @throws Refusal 401 when it does not accept the credential, 502 when it has no such review (Kubernetes before 1.28)
 */
export async function askWhoAmI(api: Api, clock: Clock): Promise<Person> {
  return withDeadline(clock, limits.readDeadlineMs, undefined, async (signal) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await api.raw({ method: 'POST', path: PATH, headers, body: BODY, signal });
    const text = await readText(response.body, MAX_BYTES);
    if (response.status === 401) throw notAccepted();
    if (response.status === 404) {
      const message = 'The API server does not know SelfSubjectReview, which sign-in needs: Kubernetes 1.28 or newer.';
      throw new Refusal(502, 'NoSelfSubjectReview', message);
    }
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    const review: unknown = JSON.parse(text);
    const name = stringAt(review, 'status', 'userInfo', 'username');
    if (name === undefined || name === '' || name === ANONYMOUS) throw notAccepted();
    const groups = arrayAt(review, 'status', 'userInfo', 'groups').map(String);
    return { name, groups };
  });
}

function notAccepted(): Refusal {
  return new Refusal(
    401,
    'TokenRefused',
    'The API server does not accept this token. Check that it is whole and has not expired.',
  );
}
