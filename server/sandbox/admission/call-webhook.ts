import { Agent, request as httpsRequest } from 'node:https';
import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, parseJsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { internalError, type StatusError } from '../http/status';
import type { PostReview, ReviewPost } from './post-review';
import type { Webhook } from './webhook';

/** A webhook that could not be asked, or whose answer is none. Its failurePolicy decides what that means. */
export class WebhookFailure extends Error {
  /** The 500 that kube-apiserver answers under failurePolicy Fail. */
  toStatus(name: string): StatusError {
    return internalError(`failed calling webhook "${name}": failed to call webhook: ${this.message}`);
  }
}

/**
 * Sends an AdmissionReview and gives back the `response` of the answer.
 *
 * @param post sends it over HTTPS when absent
 * @throws WebhookFailure
 */
export async function callWebhook(
  webhook: Webhook,
  review: JsonObject,
  post: PostReview = postOverHttps,
): Promise<JsonObject> {
  const url = addressOf(webhook);
  const { caBundle, timeoutMs } = webhook;
  const sent = post({ url, caBundle, timeoutMs, body: JSON.stringify(review) });
  const text = await sent.catch((error: unknown) => {
    throw new WebhookFailure(`Post "${url}": ${messageOf(error)}`);
  });
  const answer = parse(text);
  const response = answer.response;
  if (!isJsonObject(response)) throw new WebhookFailure('the answer has no response');
  const wantedUid = isJsonObject(review.request) ? review.request.uid : undefined;
  if (response.uid !== wantedUid) {
    throw new WebhookFailure(`expected response.uid="${String(wantedUid)}", got "${String(response.uid ?? '')}"`);
  }
  return response;
}

function addressOf({ url, service, timeoutMs }: Webhook): URL {
  if (url === undefined) {
    throw new WebhookFailure(
      `service ${service ?? ''} cannot be reached: the sandbox has no network for Services, use clientConfig.url`,
    );
  }
  const address = new URL(url);
  address.searchParams.set('timeout', `${Math.round(timeoutMs / 1_000)}s`);
  return address;
}

/**
 * Connections are kept for a while: a handshake costs more than the question. They are told apart by address and authority.
 * Idle ones do not keep the process alive.
 */
const connections = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 });

/** A webhook that was restarted has closed the connection that was kept: that is no failure, it is asked on a new one. */
async function postOverHttps(post: ReviewPost): Promise<string> {
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
      const why = error.name === 'TimeoutError' ? 'context deadline exceeded' : error.message;
      if (sent.reusedSocket && !signal.aborted) reject(new StaleConnection(why));
      else fail(why);
    });
    sent.end(body);
  });
}

function parse(text: string): JsonObject {
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw new WebhookFailure('the answer is no JSON object');
}
