import { createHmac } from 'node:crypto';
import type { NoticeRule } from '@/lib/kudo/notices/notice';
import { type NoticeContent, noticeBody } from '@/lib/kudo/notices/notice-body';

/** One POST to a receiver. */
export interface NoticeRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/**
 * The request of a notice. Where the notice has a key, the signature is HMAC-SHA-256 over the timestamp, a dot and the body, so that
 * neither can be taken for another one; a receiver refuses timestamps that are some minutes old.
 */
export function noticeRequest(notice: NoticeRule, content: NoticeContent, nowMs: number): NoticeRequest {
  const body = noticeBody(content, notice.format);
  const timestamp = String(Math.floor(nowMs / 1_000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bravo',
    'idempotency-key': content.id,
    'x-bravo-delivery': content.id,
    'x-bravo-timestamp': timestamp,
  };
  if (notice.signingKey === undefined) return { url: notice.url, headers, body };
  const signature = createHmac('sha256', notice.signingKey).update(`${timestamp}.${body}`).digest('hex');
  return { url: notice.url, headers: { ...headers, 'x-bravo-signature-256': `sha256=${signature}` }, body };
}
