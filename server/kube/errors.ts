import { BlockedError, BravoError, ConflictError, messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { arrayAt, type JsonObject, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';

/** One cause of a Kubernetes Status: `field` is a path such as `spec.replicas`. */
export interface KubeErrorCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** The API's own error: the `cause` of every error that came from a response. */
export class KubeError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly KubeErrorCause[];
  readonly retryAfterMs: number | undefined;

  constructor(detail: {
    code: number;
    reason: string;
    message: string;
    causes: readonly KubeErrorCause[];
    retryAfterMs?: number | undefined;
  }) {
    super(detail.message);
    this.name = 'KubeError';
    this.code = detail.code;
    this.reason = detail.reason;
    this.causes = detail.causes;
    this.retryAfterMs = detail.retryAfterMs;
  }

  /** By name, because the server and Next's routes each have a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'KubeError';
  }
}

/** The API's own error behind an error, if there is one. */
export function kubeErrorOf(error: unknown): KubeError | undefined {
  if (error instanceof KubeError) return error;
  return error instanceof Error && error.cause instanceof KubeError ? error.cause : undefined;
}

/** The HTTP code behind an error, or 0. */
export function codeOf(error: unknown): number {
  return kubeErrorOf(error)?.code ?? 0;
}

/** True for 410: the resourceVersion or page is too old, list again. */
export function isGone(error: unknown): boolean {
  const code = codeOf(error);
  return code === 410 || (code === 504 && kubeErrorOf(error)?.reason === 'Expired');
}

/** True for the API's refusal to create anything in a namespace that is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  const causes = kubeErrorOf(error)?.causes ?? [];
  return causes.some((cause) => cause.reason === 'NamespaceTerminating');
}

/**
 * The one table from a response to the four kinds of error.
 *
 * | code | kind |
 * |---|---|
 * | 409, 410 | Conflict: read or list again |
 * | 401, 408, 425, 429, every 5xx but 501 and 507 | Transient |
 * | 403 whose cause is `NamespaceTerminating` | Terminal |
 * | 404 | Blocked: waits for what the message names |
 * | every other 3xx and 4xx, 501, 507 | Terminal |
 */
export function errorOfResponse(status: number, body: string, headers: { [name: string]: string } = {}): BravoError {
  const detail = readStatus(status, body, headers);
  const options = { cause: detail };
  if (detail.code === 409 || detail.code === 410) return new ConflictError(detail.message, detail.reason, options);
  if (detail.code === 404) return new BlockedError(detail.message, detail.reason, options);
  if (isTransientCode(detail.code)) {
    return new TransientError(detail.message, detail.reason, { ...options, retryAfterMs: detail.retryAfterMs });
  }
  return new TerminalError(detail.message, detail.reason, options);
}

function isTransientCode(code: number): boolean {
  if (code === 401 || code === 408 || code === 425 || code === 429) return true;
  return code >= 500 && code !== 501 && code !== 507;
}

/** Reads a Status (from a response or from an ERROR event of a watch); anything else becomes one. */
export function readStatus(status: number, body: string, headers: { [name: string]: string } = {}): KubeError {
  const parsed = parseJsonObject(body) ?? {};
  const isStatus = parsed.kind === 'Status' || isBareFailure(parsed);
  const code = isStatus ? (numberAt(parsed, 'code') ?? status) : status;
  const seconds = numberAt(parsed, 'details', 'retryAfterSeconds') ?? Number.parseInt(headers['retry-after'] ?? '', 10);
  return new KubeError({
    code,
    reason: (isStatus ? stringAt(parsed, 'reason') : undefined) || defaultReason(code),
    message: messageOfStatus(code, isStatus ? stringAt(parsed, 'message') : undefined) || plainMessage(code, body),
    causes: arrayAt(parsed, 'details', 'causes').map((cause) => ({
      reason: stringAt(cause, 'reason') ?? '',
      message: stringAt(cause, 'message') ?? '',
      field: stringAt(cause, 'field') ?? '',
    })),
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

/** On the status channel of an exec, and instead of an upgrade, kube-apiserver sends a Status without `kind` and `apiVersion`. */
function isBareFailure({ kind, status }: JsonObject): boolean {
  return kind === undefined && status === 'Failure';
}

/** kube-apiserver sends only `Unauthorized` for every credential that it does not know. */
const BARE_REFUSAL = 'Unauthorized';
const REFUSED_CREDENTIALS =
  'The Kubernetes API does not accept these credentials (401 Unauthorized): they are wrong, expired or revoked. Renew the kubeconfig or the token file; Bravo reads them again.';

function messageOfStatus(code: number, message: string | undefined): string | undefined {
  return code === 401 && message === BARE_REFUSAL ? REFUSED_CREDENTIALS : message;
}

function plainMessage(code: number, body: string): string {
  const text = body.trim();
  const readable = text !== '' && text.length <= 300 && !text.startsWith('<') ? `: ${text}` : '.';
  return `The Kubernetes API answered ${code}${readable}`;
}

const REASONS: { readonly [code: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function defaultReason(code: number): string {
  return REASONS[code] ?? (code >= 300 && code < 400 ? 'Redirect' : 'Unknown');
}

/** The error of a broken connection; whether a write took effect is then unknown. */
export function errorOfConnection(error: unknown, server: string): BravoError {
  if (error instanceof BravoError) return error;
  const code = connectionCode(error);
  const text = CONNECTION_TEXTS[code];
  const reason = text?.kind === 'terminal' ? 'CertificateRefused' : 'ConnectionFailed';
  const message = `The Kubernetes API at ${server} ${text?.says ?? `cannot be reached: ${messageOf(error)}`}.`;
  return text?.kind === 'terminal'
    ? new TerminalError(message, reason, { cause: error })
    : new TransientError(message, reason, { cause: error });
}

function connectionCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === undefined ? '' : connectionCode(error.cause);
}

const CONNECTION_TEXTS: { readonly [code: string]: { kind: 'terminal' | 'transient'; says: string } } = {
  ECONNREFUSED: { kind: 'transient', says: 'refuses connections' },
  ENOTFOUND: { kind: 'transient', says: 'cannot be found: its host name does not resolve' },
  EAI_AGAIN: { kind: 'transient', says: 'cannot be found: its host name cannot be resolved at the moment' },
  ETIMEDOUT: { kind: 'transient', says: 'does not answer' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'transient', says: 'does not answer' },
  EHOSTUNREACH: { kind: 'transient', says: 'cannot be reached: no route' },
  ECONNRESET: { kind: 'transient', says: 'closed the connection' },
  UND_ERR_SOCKET: { kind: 'transient', says: 'closed the connection' },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    kind: 'terminal',
    says: 'has a self-signed certificate that the kubeconfig does not trust',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    kind: 'terminal',
    says: 'has a certificate of an authority that the kubeconfig does not trust',
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { kind: 'terminal', says: 'has a certificate signed by an unknown authority' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { kind: 'terminal', says: 'has a certificate signed by an unknown authority' },
  CERT_HAS_EXPIRED: { kind: 'terminal', says: 'has an expired certificate' },
  ERR_TLS_CERT_ALTNAME_INVALID: { kind: 'terminal', says: 'has a certificate for another host' },
};
