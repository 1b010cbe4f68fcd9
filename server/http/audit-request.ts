import { type AuditEntry, type AuditedAction, resultOfStatus } from '@/lib/audit/audit-entry';
import { auditedAction } from '@/lib/audit/audited-action';
import { formatMilliTime } from '@/lib/clock/clock';
import type { JsonValue } from '@/lib/json/json';
import type { RequestSession } from '@/server/auth/person-of-request';
import { type ClusterRuntime, clusterInRecords } from '@/server/clusters/cluster-runtime';
import { runtime } from '@/server/runtime/runtime';
import { executionInHeaders } from './execution-header';
import { CLIENT_HEADER } from './headers';

/** A person as the audit log names them. */
export type AuditedPerson = AuditEntry['person'];

/** What is known of a request before it is answered. */
interface Asked {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly body: JsonValue | undefined;
  readonly id: string;
}

/** Writes the end of a request into the audit log. */
export type WriteAudit = (answer: AuditedAnswer) => void;

interface AuditedAnswer {
  readonly status: number;
  /** One word; the usual one of the status when absent. */
  readonly reason?: string | undefined;
  readonly headers?: Headers;
  /** Replaces that of the action, where the end says more. */
  readonly summary?: string;
}

const NOT_AUDITED: WriteAudit = () => {};

/** Begins to time what a person asks for; reads, previews and dry runs are not in the audit log. */
export function auditRequest(asked: Asked, { viewer, user, cluster }: RequestSession): WriteAudit {
  const action = auditedAction({
    method: asked.request.method,
    path: partsOf(asked.request),
    query: asked.query,
    body: asked.body,
    accept: asked.request.headers.get('accept') ?? '',
  });
  if (action === undefined) return NOT_AUDITED;
  const write = auditAction(asked, action, cluster);
  // Who sees the console as somebody else is still the one who acts.
  return (answer) => write(viewer?.user ?? user, answer);
}

/** The same for an action that the request alone does not say. */
export function auditAction(
  { request, id }: { readonly request: { readonly headers: Pick<Headers, 'get'> }; readonly id: string },
  action: AuditedAction,
  place: ClusterRuntime = runtime().clusters.home,
): (person: AuditedPerson, answer: AuditedAnswer) => void {
  const { audit, clock } = runtime();
  const beganMs = clock.now();
  return (person, { status, reason, headers, summary = action.summary }) => {
    const nowMs = clock.now();
    const execution = executionInHeaders(headers);
    audit.write({
      time: formatMilliTime(nowMs),
      id,
      person,
      address: request.headers.get(CLIENT_HEADER) ?? '',
      cluster: clusterInRecords(place),
      ...action,
      summary,
      ...(execution === undefined ? {} : { execution }),
      result: resultOfStatus(status),
      status,
      reason: status < 400 ? '' : (reason ?? REASONS.get(status) ?? ''),
      durationMs: Math.max(0, nowMs - beganMs),
    });
  };
}

/** Of answers of the API server that pass as they are. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [413, 'RequestEntityTooLarge'],
  [415, 'UnsupportedMediaType'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [499, 'ClientClosedRequest'],
  [500, 'InternalError'],
  [502, 'BadGateway'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** The path from `/api/` on. A part that cannot be decoded stays as it is. */
function partsOf(request: Request): string[] {
  const { pathname } = new URL(request.url);
  const below = pathname.slice(pathname.indexOf('/api/') + '/api/'.length);
  return below.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}
