import { stringAt } from '@/lib/json/json';
import type { Api } from './api';

/** The version of the API server (`v1.36.2`); undefined when its response has none. */
export async function serverVersion(api: Api, signal?: AbortSignal): Promise<string | undefined> {
  const response = await api.raw({ method: 'GET', path: '/version', signal });
  if (response.status !== 200) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  try {
    return stringAt(JSON.parse(Buffer.concat(chunks).toString('utf8')), 'gitVersion');
  } catch {
    return undefined;
  }
}
