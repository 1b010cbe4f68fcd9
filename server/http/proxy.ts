import { limits } from '@/lib/limits/limits';
import { askRefusedAgain } from '@/server/auth/session';
import type { RawResponse } from '@/server/kube/api';
import { withDeadline } from '@/server/kube/deadline';
import { runtime } from '@/server/runtime/runtime';
import { type KubePath, parseKubePath } from './kube-path';
import { checkKubeRequest, incomingHeaders, outgoingHeaders, rebuildQuery } from './kube-rules';
import { isSafeMethod } from './origin';
import { Refusal } from './problem';
import type { RouteContext, RouteOptions } from './route';

/** Content types of Kubernetes writes; a form of another site can send none of them. */
export const kubeBodies: RouteOptions = {
  contentTypes: [
    'application/json',
    'application/yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ],
};

/**
 * Passes a request to the Kubernetes API with the person's own authority: path and query are checked and written anew,
 * headers are made from an allow-list, and the answer streams back as fast as the browser reads it (watches and followed
 * logs included). The API's own errors pass as they are.
 *
 * @throws Refusal for what does not pass; the errors of `Api.raw` when the API cannot be reached
 */
export async function proxyToKube(context: RouteContext<{ path: string[] }>): Promise<Response> {
  const path = parseKubePath(context.params.path);
  checkKubeRequest(context.method, path);
  const abort = new AbortController();
  const send = (deadline?: AbortSignal) =>
    context.session.api.raw({
      method: context.method,
      path: `${path.path}${rebuildQuery(context.query)}`,
      headers: outgoingHeaders(context.request.headers),
      body: context.bytes.length > 0 ? context.bytes : undefined,
      signal: AbortSignal.any([context.signal, abort.signal, ...(deadline === undefined ? [] : [deadline])]),
    });
  const response = isEndless(context.query)
    ? await send()
    : await withDeadline(runtime().clock, limits.listDeadlineMs, context.signal, send);
  if (response.status >= 300 && response.status < 400 && response.status !== 304) {
    abort.abort();
    throw new Refusal(502, 'BadGateway', 'The Kubernetes API answered with a redirect, which is not followed.');
  }
  if (response.status < 300 && changesRights(context.method, path)) {
    askRefusedAgain(context.session.cluster);
  }
  return answer(context, response, abort);
}

/** True for writes after which the API may serve what it refused before. */
function changesRights(method: string, path: KubePath): boolean {
  const groups = ['rbac.authorization.k8s.io', 'apiextensions.k8s.io'];
  return !isSafeMethod(method) && path.kind === 'resource' && groups.includes(path.group);
}

function answer(context: RouteContext<{ path: string[] }>, response: RawResponse, abort: AbortController): Response {
  const headers = incomingHeaders(response.headers);
  if (isEndless(context.query)) headers['cache-control'] = 'no-transform';
  const init = { status: response.status, headers };
  if (context.method === 'HEAD' || response.status === 204 || response.status === 304) {
    abort.abort();
    return new Response(null, init);
  }
  return new Response(
    pullStream(response.body, () => abort.abort()),
    init,
  );
}

/** A watch or a followed log: it must not wait in a compressor. */
function isEndless(query: URLSearchParams): boolean {
  return ['watch', 'follow'].some((name) => ['1', 'true', ''].includes(query.get(name) ?? '0'));
}

/**
 * Bytes as a stream that asks for the next piece only when the reader has room. `close` is called once, when the stream
 * ends, fails or is given up.
 */
export function pullStream(source: AsyncIterable<Uint8Array>, close: () => void): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        close();
      },
      async cancel() {
        close();
        await iterator.return?.();
      },
    },
    { highWaterMark: 1 },
  );
}
