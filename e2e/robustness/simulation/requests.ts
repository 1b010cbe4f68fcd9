import type { RawRequest, RawResponse } from '@/server/kube/api';

export function isWatch({ path }: RawRequest): boolean {
  return /[?&]watch=(true|1)/.test(path);
}

/** A Status as the API server answers it. */
export function simulatedStatus(
  code: number,
  reason: string,
  message: string,
  headers: { [name: string]: string } = {},
): RawResponse {
  const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code });
  return {
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: once(new TextEncoder().encode(body)),
  };
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Never answers: the caller's own deadline must end the request. */
export function hang({ signal }: Pick<RawRequest, 'signal'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
