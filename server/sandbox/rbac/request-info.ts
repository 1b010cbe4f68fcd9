/** What the path and method of a request mean (apiserver request.RequestInfo). */
export interface RequestInfo {
  /** The decoded path, for messages and non-resource rules. */
  readonly path: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; for other paths the method in lower case. */
  readonly verb: string;
  readonly resource: ResourceRequest | undefined;
  /** The one name that the field selector of a list, watch or deletecollection asks for. */
  readonly selectedName?: string | undefined;
}

export interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  /** Absent at `/api/v1/foos`; the name itself at `/api/v1/namespaces/x`. */
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  /** `status`, `log`, `proxy/a/b`. */
  readonly subresource: string | undefined;
  /** More path than any resource has, or an empty name in the middle. */
  readonly malformed: boolean;
}

const VERBS: { readonly [method: string]: string } = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads method, raw path and query of a request. */
export function parseRequest(method: string, rawPath: string, query: URLSearchParams): RequestInfo {
  const path = decode(rawPath);
  const parts = splitPath(rawPath);
  const plain: RequestInfo = { path, verb: method.toLowerCase(), resource: undefined };
  const [root, ...rest] = parts;
  if (root === 'api' && rest.length >= 2 && rest[0] !== undefined) {
    return resourceRequest(plain, method, { group: '', version: rest[0], parts: rest.slice(1), query });
  }
  if (root === 'apis' && rest.length >= 3 && rest[0] !== undefined && rest[1] !== undefined) {
    return resourceRequest(plain, method, { group: rest[0], version: rest[1], parts: rest.slice(2), query });
  }
  return plain;
}

interface PathParts {
  readonly group: string;
  readonly version: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

function resourceRequest(plain: RequestInfo, method: string, { group, version, parts, query }: PathParts): RequestInfo {
  let verb = VERBS[method] ?? '';
  let rest = [...parts];
  if (rest[0] === 'watch' && rest.length > 1) {
    verb = 'watch';
    rest = rest.slice(1);
  }
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1];
    // `namespaces/x`, `namespaces/x/status` and `namespaces/x/finalize` are the namespace itself.
    const ofNamespace = rest.length === 2 || (rest.length === 3 && (rest[2] === 'status' || rest[2] === 'finalize'));
    if (!ofNamespace) rest = rest.slice(2);
  }
  const [resource = '', name, ...sub] = rest;
  if (resource === '') return plain;
  const subresource = sub.length > 0 ? sub.join('/') : undefined;
  // The path behind `proxy` is the pod's own.
  const malformed = name === '' || (sub.includes('') && sub[0] !== 'proxy');
  const request = {
    group,
    version,
    namespace: namespace === '' ? undefined : namespace,
    resource,
    name: name === '' ? undefined : name,
    subresource,
    malformed,
  };
  const selectedName = name === undefined ? nameSelectedBy(query.get('fieldSelector') ?? '') : undefined;
  return { ...plain, verb: refine(verb, request, query), resource: request, selectedName };
}

function nameSelectedBy(fieldSelector: string): string | undefined {
  return /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(fieldSelector)?.[1];
}

function refine(verb: string, request: ResourceRequest, query: URLSearchParams): string {
  if (request.name !== undefined) return verb;
  if (verb === 'get') return isTrue(query.get('watch')) ? 'watch' : 'list';
  if (verb === 'delete') return 'deletecollection';
  return verb;
}

/** How query parameters say yes: present and not `false` or `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0' && value !== '';
}

/** Decoded segments without the leading and one trailing slash. An encoded slash inside makes one more segment. */
function splitPath(rawPath: string): string[] {
  const trimmed = rawPath.slice(rawPath.startsWith('/') ? 1 : 0, rawPath.endsWith('/') ? -1 : undefined);
  if (trimmed === '') return [];
  const parts = trimmed.split('/');
  return trimmed.includes('%') ? parts.flatMap((part) => decode(part).split('/')) : parts;
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
