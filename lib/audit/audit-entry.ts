import { arrayAt, isJsonObject, numberAt, parseJsonObject, stringAt } from '@/lib/json/json';

/** `refused`: the console or the API server said no (HTTP 4xx). `failed`: it could not be done (5xx, or the client went away). */
export type AuditResult = 'ok' | 'refused' | 'failed';
export const AUDIT_RESULTS: readonly AuditResult[] = ['ok', 'refused', 'failed'];

/** What somebody did something to. Every field may be empty. */
export interface AuditedObject {
  readonly group: string;
  /** Of the API through which it was done; empty for the console's own. */
  readonly version: string;
  /** In the plural, as in RBAC; `sessions` and `packages` are the console's own. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** What a request does. */
export interface AuditedAction {
  /** A verb of Kubernetes (create, update, patch, delete, read), or a word of Bravo's: run, approve, sign-in … */
  readonly verb: string;
  readonly object: AuditedObject;
  /** For people, in the past tense: `started plan backup, parameters SIZE`. Names only, never values. */
  readonly summary: string;
}

/** One thing that a person did through the console: a line of the audit log. It has no value of a parameter or Secret, no token and no body. */
export interface AuditEntry extends AuditedAction {
  /** When it ended, RFC 3339 with milliseconds. */
  readonly time: string;
  /** The ID of the request, as in `X-Request-Id` and the log. */
  readonly id: string;
  /** The name is empty when nobody knows who it was: a sign-in that was refused. */
  readonly person: { readonly name: string; readonly groups: readonly string[] };
  /** Where the request came from, as far as trusted proxies say it. */
  readonly address: string;
  readonly cluster: string;
  readonly result: AuditResult;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** One word for machines: Forbidden, Conflict … Empty when it succeeded. */
  readonly reason: string;
  readonly durationMs: number;
  /** The UID of the plan's execution that it began; absent when it began none, or when nobody can tell which. */
  readonly execution?: string;
}

/** Longer texts come from nobody who uses the console as it is: they are cut. */
const MAX_TEXT = 500;
const MAX_GROUPS = 50;

/** The line of an entry, with its line feed. Control characters are escaped, as in all JSON. */
export function formatAuditLine(entry: AuditEntry, marks: { readonly audit?: true } = {}): string {
  const short = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value);
  const groups = entry.person.groups.slice(0, MAX_GROUPS);
  return `${JSON.stringify({ ...marks, ...entry, person: { ...entry.person, groups } }, short)}\n`;
}

/** The entry of a line; undefined when it is none, as a line that was cut when the power went. */
export function parseAuditLine(line: string): AuditEntry | undefined {
  const value = parseJsonObject(line);
  const [status, result] = [numberAt(value, 'status'), AUDIT_RESULTS.find((each) => each === value?.result)];
  const text = (...path: string[]) => stringAt(value, ...path) ?? '';
  if (!isJsonObject(value) || status === undefined || result === undefined || text('time') === '') return undefined;
  const part = (name: keyof AuditedObject) => text('object', name);
  return {
    time: text('time'),
    id: text('id'),
    person: { name: text('person', 'name'), groups: arrayAt(value, 'person', 'groups').map(String) },
    address: text('address'),
    cluster: text('cluster'),
    verb: text('verb'),
    object: {
      group: part('group'),
      version: part('version'),
      resource: part('resource'),
      namespace: part('namespace'),
      name: part('name'),
      subresource: part('subresource'),
    },
    summary: text('summary'),
    result,
    status,
    reason: text('reason'),
    durationMs: numberAt(value, 'durationMs') ?? 0,
    ...(text('execution') === '' ? {} : { execution: text('execution') }),
  };
}

/** What an HTTP status says of an action. 499: the client went away, so nobody knows. */
export function resultOfStatus(status: number): AuditResult {
  if (status < 400) return 'ok';
  return status < 499 ? 'refused' : 'failed';
}
