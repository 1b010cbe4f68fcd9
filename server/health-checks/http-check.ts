import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { portOf } from '@/lib/kudo/health-checks/definitions';
import { failureText, firstLine } from '@/lib/kudo/health-checks/outcome';
import type { HealthOutcome } from '@/lib/kudo/health-checks/types';
import { limits } from '@/lib/limits/limits';
import { errorOfResponse } from '@/server/kube/errors';
import type { PodCheck } from './pod-check';

/**
 * A GET through the API server (`pods/proxy`), which reaches the pod wherever the controller runs. 200 to 399 passes, as for a probe
 * of a kubelet. A plain text of one line is what people see.
 */
export async function httpCheck({ api, check, pod, signal }: PodCheck): Promise<HealthOutcome> {
  const port = portOf(check.port ?? '');
  if (port === undefined) throw new TerminalError(`"${check.port}" is not a port.`, 'InvalidHealthCheck');
  const { path = '/', scheme = 'http' } = check;
  const place = `${scheme === 'https' ? 'https:' : ''}${encodeURIComponent(pod.name)}:${port}`;
  const base = `/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${place}/proxy`;
  const response = await api.raw({
    method: 'GET',
    path: `${base}${encodeURI(path.startsWith('/') ? path : `/${path}`)}`,
    headers: { accept: 'text/plain, */*' },
    signal,
  });
  const body = await beginning(response.body);
  const isPlain = (response.headers['content-type'] ?? '').startsWith('text/plain');
  const { status } = response;
  if (status >= 200 && status < 400) {
    const text = isPlain && isOneLine(body) ? firstLine(body) : '';
    return { verdict: 'Passing', message: text || `HTTP ${status}`, pod: pod.name };
  }
  const problem = problemOfProxy(status, body);
  if (problem === undefined) return { verdict: 'Failing', message: `HTTP ${status}`, pod: pod.name };
  if (REFUSED.test(problem)) return { verdict: 'Failing', message: failureText(check), pod: pod.name };
  throw errorOfResponse(status, body, response.headers);
}

/** The pod answered that nothing listens, or closed the connection. */
const REFUSED = /connection refused|connection reset|\bEOF\b/;

/** What the API server itself says of a request that it could not pass on; undefined when the pod answered. */
function problemOfProxy(status: number, body: string): string | undefined {
  const parsed = parseJsonObject(body);
  const isStatus = isJsonObject(parsed) && parsed.kind === 'Status' && parsed.apiVersion === 'v1';
  return isStatus && parsed.code === status ? (stringAt(parsed, 'message') ?? '') : undefined;
}

function isOneLine(body: string): boolean {
  return body.trim().split('\n').length === 1;
}

async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limits.healthOutputBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, limits.healthOutputBytes).toString('utf8');
}
