import type { Invariant, ObservedCall } from './fact';

/**
 * I7: only the holder of the lease changes anything but the lease, and every write of ours is conditional: a PUT or PATCH
 * names the resourceVersion it was decided upon, a DELETE the uid. A POST is conditional by its name.
 */
export const oneWriter: Invariant = (report) => (fact) => {
  if (fact.fact !== 'call' || fact.method === 'GET' || fact.status >= 300 || isNote(fact)) return;
  const call = `${fact.method} ${fact.path} of ${fact.by}`;
  if (!isLease(fact) && fact.holder !== fact.by) report(`I7: ${call} took effect while ${fact.holder ?? 'nobody'} led`);
  if (!isConditional(fact)) report(`I7: ${call} is not conditional`);
};

function isLease({ path }: ObservedCall): boolean {
  return path.includes('/leases/') || path.endsWith('/leases');
}

/** Events say what was seen; nobody decides upon them. */
function isNote({ path }: ObservedCall): boolean {
  return /\/events(\/|\?|$)/.test(path);
}

/** What self-healing Instances keep: each manifest in it counts only while its digest is the recorded one. */
function isKeptByDigest({ path }: ObservedCall): boolean {
  return /\/secrets\/[^/]+\.bravo-objects(\?|$)/.test(path);
}

/** Looks at the text: parsing every body once more would cost as much as a tenth of the run. */
function isConditional(call: ObservedCall): boolean {
  const { method, body = '' } = call;
  if (method === 'PATCH' && isKeptByDigest(call)) return true;
  if (method === 'PUT' || method === 'PATCH') return /"resourceVersion":"[^"]/.test(body);
  if (method === 'DELETE') return /"preconditions":\{/.test(body);
  return true;
}
