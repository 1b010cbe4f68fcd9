/** One write of a person through the console, as a line of the audit log. It never has values of parameters or Secrets. */
export interface AuditEntry {
  /** RFC 3339. */
  readonly at: string;
  readonly user: string;
  readonly groups: readonly string[];
  /** In words: `start plan`, `edit parameters`, `delete pods`. */
  readonly action: string;
  /** Empty for what is in no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly plan?: string;
  /** The HTTP status of the answer, and its reason when it is a refusal. */
  readonly status: number;
  readonly reason?: string;
  readonly requestId: string;
}

/** What a request does: action, place and object. */
export type AuditedAction = Pick<AuditEntry, 'action' | 'namespace' | 'name' | 'plan'>;

const INSTANCE: { readonly [rest: string]: string } = {
  'POST parameters': 'edit parameters',
  'POST parameters/secret': 'move parameters to a Secret',
  'POST version': 'change version',
  'PATCH queue': 'change queue',
  'POST drift/restore': 'restore objects',
  'POST drift/prune': 'delete leftover objects',
  'DELETE ': 'uninstall',
};
const RUN: { readonly [rest: string]: string } = { 'PATCH ': 'steer run', 'POST undo': 'undo run' };
const VERBS: { readonly [method: string]: string } = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * What a request to the console's API does, by its method and path; undefined for reads, previews and dry runs.
 *
 * @param path decoded, from `/api/` on
 */
export function auditedAction(method: string, path: string, query: URLSearchParams): AuditedAction | undefined {
  if (!(method in VERBS) || isDryRun(query)) return undefined;
  const [area = '', ...parts] = path.replace(/^\/api\//, '').split('/');
  if (area === 'kube') return kubeAction(method, parts);
  if (area === 'packages') return packageAction(parts);
  if (area === 'controller') return { action: 'start the controller', namespace: '', name: '' };
  const [namespace = '', name = '', ...rest] = parts;
  if (area === 'instances') {
    if (rest[0] === 'plans') return { action: 'start plan', namespace, name, plan: rest[1] ?? '' };
    return named(INSTANCE[`${method} ${rest.join('/')}`], { namespace, name });
  }
  return area === 'runs' ? named(RUN[`${method} ${rest.join('/')}`], { namespace, name }) : undefined;
}

function isDryRun(query: URLSearchParams): boolean {
  return ['true', 'All'].includes(query.get('dryRun') ?? '');
}

function named(action: string | undefined, place: { namespace: string; name: string }): AuditedAction | undefined {
  return action === undefined ? undefined : { action, ...place };
}

function packageAction([name, version, verb]: readonly string[]): AuditedAction | undefined {
  if (name === undefined || name === '') return { action: 'upload package', namespace: '', name: '' };
  if (name === 'crds') return { action: 'install CRDs', namespace: '', name: '' };
  return verb === 'install' ? { action: 'install', namespace: '', name: `${name} ${version ?? ''}` } : undefined;
}

/** `api/v1/namespaces/NS/pods/NAME/log`, `apis/GROUP/VERSION/RESOURCE/NAME`. Reviews ask, and change nothing. */
function kubeAction(method: string, parts: readonly string[]): AuditedAction | undefined {
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest;
  if (resource === '' || resource.endsWith('reviews')) return undefined;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  return { action: `${VERBS[method]} ${what}`, namespace: isNamespaced ? (rest[1] ?? '') : '', name };
}

/** What entries are narrowed to; empty texts narrow nothing. */
export interface AuditFilter {
  readonly text: string;
  readonly user: string;
  readonly namespace: string;
  readonly isRefusal: boolean;
}

/** True for an entry that the filter lets through. */
export function matchesAudit(entry: AuditEntry, { text, user, namespace, isRefusal }: AuditFilter): boolean {
  if (user !== '' && entry.user !== user) return false;
  if (namespace !== '' && entry.namespace !== namespace) return false;
  if (isRefusal && entry.status < 400) return false;
  const wanted = text.trim().toLowerCase();
  const texts = [entry.user, entry.action, entry.namespace, entry.name, entry.plan ?? '', entry.reason ?? ''];
  return wanted === '' || texts.some((each) => each.toLowerCase().includes(wanted));
}
