import { formatResourcePath } from '@/lib/kube/path';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { PersonInCluster } from '@/server/auth/person-of-request';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { errorOfResponse } from '@/server/kube/errors';

/** Names alone: an Instance may be large. */
const NAMES_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * True for people who may see what the process says of itself: names of resources of the whole cluster, and lines of its log. The person of the
 * kubeconfig has the same authority as the process; others must be able to list all Instances, which is asked by doing it: an access review
 * that fails counts as allowed elsewhere.
 *
 * @param processApi the API with the authority of the process
 * @throws what the API server says when it does not answer
 */
export async function mayReadStatus(session: PersonInCluster, processApi: Api, signal: AbortSignal): Promise<boolean> {
  if (session.api === processApi) return true;
  const path = `${formatResourcePath({ ...INSTANCES })}?limit=1`;
  const response = await session.api.raw({ method: 'GET', path, headers: { accept: NAMES_ONLY }, signal });
  const text = await readText(response.body, MAX_ANSWER_BYTES);
  // 404: the CRDs are not installed, and the API server checks rights first.
  if (response.status === 404 || response.status < 300) return true;
  if (response.status === 403) return false;
  throw errorOfResponse(response.status, text, response.headers);
}
