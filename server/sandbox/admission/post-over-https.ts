import { Agent, request as httpsRequest } from 'node:https';
import { limits } from '@/lib/limits/limits';
import type { ReviewPost } from '../registry/post-review';

/**
 * Connections are kept for a while: a handshake costs more than the question. There is one for each address and authority.
 * Idle ones do not keep the process alive.
 */
const connections = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 });

/** Sends a question over HTTPS. A webhook that was restarted has closed the connection that was kept: that is no failure, it is asked on a new one. */
export async function postOverHttps(post: ReviewPost): Promise<string> {
  const signal = AbortSignal.timeout(post.timeoutMs);
  try {
    return await postOnce(post, signal, connections);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return postOnce(post, signal, false);
  }
}

class StaleConnection extends Error {}

function postOnce({ url, caBundle, body }: ReviewPost, signal: AbortSignal, agent: Agent | false): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(why));
    const sent = httpsRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(caBundle === undefined ? {} : { ca: caBundle }),
        agent,
        signal,
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > limits.requestBodyBytes) response.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(Buffer.concat(chunks).toString('utf8'));
          else fail(`the server responded with the status code ${status}`);
        });
      },
    );
    sent.on('error', (error) => {
      const why = signal.aborted ? 'context deadline exceeded' : error.message;
      if (sent.reusedSocket && !signal.aborted) reject(new StaleConnection(why));
      else fail(why);
    });
    sent.end(body);
  });
}
