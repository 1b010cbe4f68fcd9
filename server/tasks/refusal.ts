import { BravoError, TerminalError } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { type KubeError, kubeErrorOf, type StatusCause } from '@/server/kube/errors';

/** The event reason of a change that Kubernetes allows only to a new object. */
const IMMUTABLE = 'ImmutableField';
/** The event reason of an object that the API will never take as it is. */
const REFUSED = 'ObjectRefused';
/** The field of a cause that speaks of all of the patch. */
const WHOLE_PATCH = 'patch';
/** A longer message of the API holds a dump of a value; errors are cut at 1 KiB, and the reason stands behind the dump. */
const READABLE_CHARS = 1000;

/**
 * The reason, when the API has refused what it was sent so that sending it again cannot help: a field that cannot be
 * changed, an object of a wrong shape (T-19, T-41). Undefined for everything that may be mended without another plan: what
 * a policy or a quota forbids (403), and what an admission webhook denies.
 */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof BravoError && error.reason === IMMUTABLE) return IMMUTABLE;
  const answer = kubeErrorOf(error);
  if (answer === undefined || isDenied(answer)) return undefined;
  if (answer.code === 422 && answer.causes.length > 0) return REFUSED;
  return answer.code === 400 || answer.code === 413 ? REFUSED : undefined;
}

/**
 * The error of a refused write, with the name of the object, which the API leaves out when it cannot read what it was sent;
 * for a field that cannot be changed also with the field and the way out.
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
 * A patch that gives an object a wrong shape is answered with the whole patch before the one word that matters, and no name
 * of an object. The error for a person holds the object and the words; undefined when the API's own message does.
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

/** What the API says about a value, without the value: of a pod template that is a page of Go. */
function apiWords(message: string): string {
  return message.replace(/^Invalid value: [\s\S]*[}\])"]: /, '').slice(0, 300);
}

/** The words of Kubernetes' own validation: `field is immutable`, `updates to statefulset spec for fields other than …`. */
function isImmutable({ message, reason }: StatusCause): boolean {
  return /immutable|may not (be )?changed?|cannot be changed/i.test(message) || isUpdateForbidden(reason, message);
}

function isUpdateForbidden(reason: string, message: string): boolean {
  return reason === 'FieldValueForbidden' && /updates? (to|may not)|changing/i.test(message);
}
