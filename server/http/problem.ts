import { BravoError, TerminalError } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { routeHeaders } from './headers';

/** What is wrong where: `field` is a path such as `spec.size`, or a file and line such as `params.yaml:12`. */
export interface ProblemCause {
  readonly field: string;
  readonly message: string;
}

/** The body of every refusal and failure: `application/problem+json`. */
export interface ProblemBody {
  readonly status: number;
  /** One word for machines: NotFound, Conflict, Invalid … */
  readonly reason: string;
  /** One sentence for a person. */
  readonly message: string;
  readonly causes: readonly ProblemCause[];
}

/** A refusal by a route itself, with the HTTP status that it wants. */
export class Refusal extends TerminalError {
  readonly status: number;
  readonly causes: readonly ProblemCause[];

  constructor(status: number, reason: string, message: string, causes: readonly ProblemCause[] = []) {
    super(message, reason);
    this.status = status;
    this.causes = causes;
  }
}

/** HTTP status by reason, where an error carries no code of its own (Kubernetes meta/v1 StatusReason). */
const STATUS_BY_REASON: ReadonlyMap<string, number> = new Map([
  ['BadRequest', 400],
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['NotFound', 404],
  ['MethodNotAllowed', 405],
  ['NotAcceptable', 406],
  ['AlreadyExists', 409],
  ['Conflict', 409],
  ['Gone', 410],
  ['Expired', 410],
  ['RequestEntityTooLarge', 413],
  ['UnsupportedMediaType', 415],
  ['Invalid', 422],
  ['TooManyRequests', 429],
]);

const STATUS_BY_KIND = { conflict: 409, transient: 503, blocked: 409, terminal: 422 } as const;

/** An error of the four kinds as a problem; undefined for anything else, which is a bug. */
export function problemOf(error: unknown): ProblemBody | undefined {
  if (!(error instanceof BravoError)) return undefined;
  return { status: statusOf(error), reason: error.reason, message: error.message, causes: causesOf(error) };
}

/** A problem as an answer, with the headers of every route. */
export function problemResponse(problem: ProblemBody, extraHeaders: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...routeHeaders, ...extraHeaders, 'Content-Type': 'application/problem+json' },
  });
}

/** `Retry-After` in whole seconds, when the error knows when. */
export function retryHeaders(error: unknown): Record<string, string> {
  const retryAfterMs = numberAt(error, 'retryAfterMs');
  return retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
}

/** The Kubernetes API's own code first (KubeError, the cause), then what the reason says, then the kind. */
function statusOf(error: BravoError): number {
  for (const code of [numberAt(error, 'status'), numberAt(error.cause, 'code')]) {
    if (code !== undefined && Number.isInteger(code) && code >= 400 && code <= 599) return code;
  }
  return STATUS_BY_REASON.get(error.reason) ?? STATUS_BY_KIND[error.kind];
}

function causesOf(error: BravoError): readonly ProblemCause[] {
  const own = arrayAt(error, 'causes');
  return (own.length > 0 ? own : arrayAt(error.cause, 'causes')).map((cause) => ({
    field: stringAt(cause, 'field') ?? stringAt(cause, 'path') ?? '',
    message: stringAt(cause, 'message') ?? '',
  }));
}
