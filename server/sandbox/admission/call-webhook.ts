import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, parseJsonObject } from '@/lib/json/json';
import { internalError, type StatusError } from '../errors/status';
import type { PostReview } from '../registry/post-review';
import { postOverHttps } from './post-over-https';
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

function parse(text: string): JsonObject {
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw new WebhookFailure('the answer is no JSON object');
}
