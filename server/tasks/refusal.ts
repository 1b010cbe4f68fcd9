import { BravoError, TerminalError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { type KubeError, type KubeErrorCause, kubeErrorOf } from '@/server/kube/errors';

/** The event reason of a change that needs a new object. */
const IMMUTABLE = 'ImmutableField';
/** The event reason of an object that the API server will never accept as it is. */
const REFUSED = 'ObjectRefused';
/** The field of a cause that is about the whole patch. */
const WHOLE_PATCH = 'patch';
/** A longer message contains a dump of a value before the cause; errors are cut at 1 KiB. */
const READABLE_CHARS = 1000;

/**
 * The reason of a refusal that a retry cannot change: an immutable field, an object of a wrong shape (T-19, T-41). Undefined for
 * refusals that can be fixed without another plan: a policy or a quota (403), and an admission webhook.
 */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof BravoError && error.reason === IMMUTABLE) return IMMUTABLE;
  const answer = kubeErrorOf(error);
  if (answer === undefined || isDenied(answer)) return undefined;
  if (answer.code === 422 && answer.causes.length > 0) return REFUSED;
  return answer.code === 400 || answer.code === 413 ? REFUSED : undefined;
}

/**
 * The error of a refused write with the name of the object, which the API server omits when it cannot parse the request; for an
 * immutable field also with the field and what to do.
 */
export function explainRefusal(error: unknown, object: KubeObject): unknown {
  const answer = kubeErrorOf(error);
  if (answer?.code === 400) return isDenied(answer) ? error : refused(object, answer.message, answer);
  if (answer?.code !== 422) return error;
  const fixed = answer.causes.filter(isImmutable);
  if (fixed.length === 0) return withoutDump(answer, object) ?? error;
  const namespace = namespaceOf(object);
  const place = namespace === '' ? '' : ` -n ${namespace}`;
  const fields = [...new Set(fixed.map(({ field }) => field))].join(', ');
  return new TerminalError(
    `${object.kind} ${nameOf(object)}: ${fields} is immutable: Kubernetes changes it only in a new object. ` +
      `Delete the object (kubectl delete ${object.kind.toLowerCase()} ${nameOf(object)}${place}) and the plan creates it again, ` +
      `or revert the change. The API server says: ${apiWords(fixed[0]?.message ?? '')}`,
    IMMUTABLE,
    { cause: answer },
  );
}

/**
 * A patch that gives an object a wrong shape is answered with the whole patch before the cause, and without a name. This error has
 * the object and the cause; undefined when the API server's own message has both.
 */
function withoutDump(answer: KubeError, object: KubeObject): TerminalError | undefined {
  const isDump = answer.message.length > READABLE_CHARS || answer.causes.some(({ field }) => field === WHOLE_PATCH);
  if (!isDump || answer.causes.length === 0) return undefined;
  const words = answer.causes.map(({ field, message }) => {
    return field === WHOLE_PATCH || field === '' ? apiWords(message) : `${field}: ${apiWords(message)}`;
  });
  return refused(object, words.join('; '), answer);
}

function refused(object: KubeObject, words: string, answer: KubeError): TerminalError {
  return new TerminalError(`${object.kind} ${nameOf(object)} is refused: ${words}`, answer.reason, { cause: answer });
}

function isDenied({ message }: KubeError): boolean {
  return /admission webhook .* denied the request/.test(message);
}

/** What the API server says about a value, without the value: a pod template would be a page of Go. */
function apiWords(message: string): string {
  return message.replace(/^Invalid value: [\s\S]*[}\])"]: /, '').slice(0, 300);
}

/** Texts of Kubernetes' own validation: `field is immutable`, `updates to statefulset spec for fields other than …`. */
function isImmutable({ message, reason }: KubeErrorCause): boolean {
  return /immutable|may not (be )?changed?|cannot be changed/i.test(message) || isUpdateForbidden(reason, message);
}

function isUpdateForbidden(reason: string, message: string): boolean {
  return reason === 'FieldValueForbidden' && /updates? (to|may not)|changing/i.test(message);
}
