import { serverPath } from './address';
import { RequestError } from './request';
import { reportSessionEnd } from './session-end';

/**
 * Reads a text that arrives in pieces (a log that is followed) until it ends or the signal is aborted.
 *
 * @throws RequestError for an answer that is not 2xx
 */
export async function openText(path: string, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
  const response = await globalThis.fetch(serverPath(path), {
    headers: { accept: 'text/plain, */*' },
    credentials: 'same-origin',
    redirect: 'error',
    signal,
  });
  if (response.status === 401) reportSessionEnd();
  if (!response.ok) throw await failureOf(response);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  for (let read = await reader.read(); !read.done; read = await reader.read()) onText(read.value);
}

async function failureOf(response: Response): Promise<RequestError> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { reason?: string; message?: string };
    return new RequestError(response.status, body.reason ?? 'Unknown', body.message ?? text);
  } catch {
    return new RequestError(response.status, 'Unknown', text === '' ? `The server answered ${response.status}.` : text);
  }
}
