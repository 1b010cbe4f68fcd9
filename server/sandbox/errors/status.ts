import { TerminalError } from '@/lib/errors/errors';

import type { SchemaFieldError as FieldError } from '@/lib/schema/field-error';

/** One cause of a Status (Kubernetes meta/v1 StatusCause). */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** Kubernetes meta/v1 Status: the body of every failure, and of some successes. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { resourceVersion?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** The name of a resource for messages: `configmaps`, `deployments.apps`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A failure of the API server, ready to be sent. The whole text is in `status.message`. */
export class StatusError extends TerminalError {
  readonly status: Status;
  readonly code: number;

  constructor(status: Status) {
    super(status.message ?? '', status.reason ?? '');
    this.status = status;
    this.code = status.code ?? 500;
  }
}

/** A failure Status as an error; `details` and `reason` only where given. */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
  if (reason !== '') status.reason = reason;
  if (details !== undefined) status.details = details;
  return new StatusError(status);
}

export function qualifiedResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export function qualifiedKind(group: string, kind: string): string {
  return group === '' ? kind : `${kind}.${group}`;
}

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  const details: StatusDetails = {};
  if (name !== '') details.name = name;
  if (group !== '') details.group = group;
  if (resource !== '') details.kind = resource;
  return details;
}

export function badRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

export function notFound(resource: GroupResource, name: string): StatusError {
  const message = `${qualifiedResource(resource)} "${name}" not found`;
  return failure(404, 'NotFound', message, resourceDetails(resource, name));
}

/** 404 for a path that names no resource. */
export function noSuchResource(): StatusError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function alreadyExists(resource: GroupResource, name: string): StatusError {
  const message = `${qualifiedResource(resource)} "${name}" already exists`;
  return failure(409, 'AlreadyExists', message, resourceDetails(resource, name));
}

/** 409: `because` says what is in the way, in the API server's words. */
export function conflict(resource: GroupResource, name: string, because: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(resource)} "${name}": ${because}`;
  return failure(409, 'Conflict', message, resourceDetails(resource, name));
}

export function forbidden(resource: GroupResource, name: string, because: string): StatusError {
  const what = name === '' ? qualifiedResource(resource) : `${qualifiedResource(resource)} "${name}"`;
  return failure(403, 'Forbidden', `${what} is forbidden: ${because}`, resourceDetails(resource, name));
}

export function unauthorized(): StatusError {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

export function methodNotAllowed(): StatusError {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

/** 405 of a verb that a resource does not have, e.g. `bindings` cannot be listed. */
export function methodNotSupported(resource: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind "${qualifiedResource(resource)}"`;
  return failure(405, 'MethodNotAllowed', message, resourceDetails(resource, ''));
}

export function expired(message: string): StatusError {
  return failure(410, 'Expired', message);
}

export function tooLarge(message: string): StatusError {
  return failure(413, 'RequestEntityTooLarge', message);
}

export function internalError(message: string): StatusError {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** 422 with one cause a field error (apimachinery errors.NewInvalid). The text names each message once. */
export function invalidStatus(
  kind: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const details = resourceDetails({ group: kind.group, resource: kind.kind }, name);
  details.causes = errors.map(({ type, message, field }) => ({ reason: type, message, field }));
  const message = `${qualifiedKind(kind.group, kind.kind)} "${name}" is invalid: ${aggregate(errors)}`;
  return failure(422, 'Invalid', message, details);
}

/** `a: b` for one, `[a: b, c: d]` for several, repeated ones once (apimachinery util/errors Aggregate). */
export function aggregate(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** The Status of a successful delete. */
export function deleted(resource: GroupResource, name: string, uid: string): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...resourceDetails(resource, name), uid },
  };
}
