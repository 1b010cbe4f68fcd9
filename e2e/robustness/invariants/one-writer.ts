import type { Invariant, ObservedCall } from './fact';

/**
 * I7: only the holder of the lease changes objects other than the lease, and every write is conditional: a PUT or PATCH
 * names the resourceVersion that the controller has read, a DELETE the uid. A POST is conditional by its name.
 */
export const oneWriter: Invariant = (report) => (fact) => {
  if (fact.fact !== 'call' || fact.method === 'GET' || fact.status >= 300 || isNote(fact)) return;
  const call = `${fact.method} ${fact.path} of ${fact.by}`;
  if (!isLease(fact) && !isKey(fact) && fact.holder !== fact.by)
    report(`I7: ${call} took effect while ${fact.holder ?? 'nobody'} led`);
  if (!isConditional(fact)) report(`I7: ${call} is not conditional`);
};

function isLease({ path }: ObservedCall): boolean {
  return path.includes('/leases/') || path.endsWith('/leases');
}

/** Any controller creates the keys once, and adds its public key to those that are published: no lease is needed for that. */
function isKey({ method, path, body = '' }: ObservedCall): boolean {
  if (method === 'PATCH') return path.includes('/configmaps/bravo-signing-keys');
  return method === 'POST' && /"bravo-(?:fingerprint-key|signing-keys?)"/.test(body);
}

/** Nothing is decided from Events, so they need no condition. */
function isNote({ path }: ObservedCall): boolean {
  return /\/events(\/|\?|$)/.test(path);
}

/** The Secret with the manifests of an Instance with self-heal: a manifest counts only while its digest is the recorded one. */
function isKeptByDigest({ path }: ObservedCall): boolean {
  return /\/secrets\/[^/]+\.bravo-objects(\?|$)/.test(path);
}

/** Searches the text: parsing every body once more would take a tenth of the time of a run. */
function isConditional(call: ObservedCall): boolean {
  const { method, body = '' } = call;
  if (method === 'PATCH' && isKeptByDigest(call)) return true;
  if (method === 'PUT' || method === 'PATCH') return /"resourceVersion":"[^"]/.test(body);
  if (method === 'DELETE') return /"preconditions":\{/.test(body);
  return true;
}
