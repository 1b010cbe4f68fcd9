import { request as httpsRequest } from 'node:https';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { internalError, type StatusError } from '../http/status';
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
 * @throws WebhookFailure
 */
export async function callWebhook(webhook: Webhook, review: JsonObject): Promise<JsonObject> {
  const url = addressOf(webhook);
  const text = await post(url, webhook, JSON.stringify(review));
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

function post(url: URL, webhook: Webhook, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new WebhookFailure(`Post "${url}": ${why}`));
    const sent = httpsRequest(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(webhook.caBundle === undefined ? {} : { ca: webhook.caBundle }),
        // One connection a call: a webhook that was moved or restarted must not be held on to.
        agent: false,
        signal: AbortSignal.timeout(webhook.timeoutMs),
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
    sent.on('error', (error) => fail(error.name === 'TimeoutError' ? 'context deadline exceeded' : error.message));
    sent.end(body);
  });
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, the same for all that is no JSON object.
  }
  throw new WebhookFailure('the answer is no JSON object');
}
