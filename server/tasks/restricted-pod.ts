import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { kubeErrorOf } from '@/server/kube/errors';

/** `nobody`: a user without rights in every common image. */
const NOBODY = 65_534;

/** True for the refusal of a pod by the Pod Security level of its namespace. */
export function isPodSecurityRefusal(error: unknown): boolean {
  const answer = kubeErrorOf(error);
  return answer?.code === 403 && answer.message.includes('violates PodSecurity');
}

/**
 * The pod with what Pod Security `restricted` asks for (https://kubernetes.io/docs/concepts/security/pod-security-standards),
 * wherever it says nothing itself. What it says stays, so that a pod that asks for more than the level allows is refused again.
 */
export function restrictedPod(pod: KubeObject): KubeObject {
  const spec = objectAt(pod, 'spec');
  const securityContext = {
    runAsNonRoot: true,
    runAsUser: NOBODY,
    seccompProfile: { type: 'RuntimeDefault' },
    ...objectAt(spec, 'securityContext'),
  };
  const restricted: JsonObject = { ...spec, securityContext };
  for (const list of ['initContainers', 'containers']) {
    if (spec[list] !== undefined) restricted[list] = arrayAt(spec, list).map(restrictedContainer);
  }
  return { ...pod, spec: restricted };
}

function restrictedContainer(container: JsonValue): JsonValue {
  if (!isJsonObject(container)) return container;
  const own = objectAt(container, 'securityContext');
  // The API server refuses allowPrivilegeEscalation: false beside such rights.
  if (own.privileged === true || arrayAt(own, 'capabilities', 'add').length > 0) return container;
  const capabilities = { drop: ['ALL'], ...objectAt(own, 'capabilities') };
  return { ...container, securityContext: { allowPrivilegeEscalation: false, ...own, capabilities } };
}
