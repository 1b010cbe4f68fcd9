import type { GroupVersionResource } from '@/lib/kube/object';
import { formatResourcePath } from '@/lib/kube/path';
import { Refusal } from './problem';

/** Where a proxied request goes: one of the API's own documents, or a resource. */
export type KubePath =
  | { readonly kind: 'document'; readonly path: string }
  | (GroupVersionResource & {
      readonly kind: 'resource';
      readonly path: string;
      readonly namespace: string | undefined;
      readonly name: string | undefined;
      readonly subresource: string | undefined;
    });

/**
 * Reads the path of a Kubernetes request from its segments, decoded once, and writes it anew from its parts. What does
 * not match the grammar of Kubernetes paths (apiserver pkg/endpoints/request RequestInfo) is refused, so that no spelling
 * of a path reaches anything but what was checked.
 *
 * @throws Refusal 400 for a path outside the grammar
 */
export function parseKubePath(segments: readonly string[]): KubePath {
  if (segments.length === 0 || segments.length > MAX_SEGMENTS || !segments.every(isSegment)) throw unknownPath();
  return parseDocument(segments) ?? parseResource(segments);
}

const MAX_SEGMENTS = 10;
const MAX_SEGMENT_CHARS = 253;
const GROUP = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const VERSION = /^v[0-9]+((alpha|beta)[0-9]+)?$/;
const WORD = /^[a-z]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Kubernetes forbids `.`, `..`, `/` and `%` in names (IsValidPathSegmentName); we also what parsers disagree about. */
function isSegment(text: string): boolean {
  if (text.length === 0 || text.length > MAX_SEGMENT_CHARS || text === '.' || text === '..') return false;
  return /^[A-Za-z0-9._:@+~=$!*'(), -]+$/.test(text) && text.trim() === text;
}

function parseDocument(segments: readonly string[]): KubePath | undefined {
  const [first = '', second, third, fourth] = segments;
  const document = (): KubePath => ({ kind: 'document', path: `/${segments.map(encodeURIComponent).join('/')}` });
  if (segments.length === 1 && DOCUMENTS.has(first)) return document();
  if (first === 'openapi' && second === 'v2' && segments.length === 2) return document();
  if (first === 'openapi' && second === 'v3') return isGroupVersion(segments.slice(2), true) ? document() : undefined;
  if (first === 'api' && segments.length === 2 && VERSION.test(second ?? '')) return document();
  if (first !== 'apis' || !GROUP.test(second ?? '')) return undefined;
  if (segments.length === 2) return document();
  return segments.length === 3 && VERSION.test(third ?? '') && fourth === undefined ? document() : undefined;
}

const DOCUMENTS = new Set(['api', 'apis', 'version', 'healthz', 'livez', 'readyz']);

/** `api/v1`, `apis/GROUP/VERSION`, or a shorter form of them, as in paths below `openapi/v3`. */
function isGroupVersion(segments: readonly string[], mayBeEmpty: boolean): boolean {
  const [root, first, second] = segments;
  if (segments.length === 0) return mayBeEmpty;
  if (root === 'version' || root === 'api')
    return segments.length === 1 || (segments.length === 2 && VERSION.test(first ?? ''));
  if (root !== 'apis' || segments.length > 3) return false;
  return (first === undefined || GROUP.test(first)) && (second === undefined || VERSION.test(second));
}

function parseResource(segments: readonly string[]): KubePath {
  const [root, ...afterRoot] = segments;
  const group = root === 'apis' ? (afterRoot.shift() ?? '') : '';
  const version = afterRoot.shift() ?? '';
  if (root !== 'api' && !(root === 'apis' && GROUP.test(group))) throw unknownPath();
  if (!VERSION.test(version)) throw unknownPath();
  const { namespace, rest } = splitNamespace(afterRoot);
  const [resource = '', name, ...subresources] = rest;
  // `watch/…` and `proxy/…` are the oldest forms of requests that have other names now.
  if (!WORD.test(resource) || resource === 'watch' || resource === 'proxy' || subresources.length > 1)
    throw unknownPath();
  const [subresource] = subresources;
  if (subresource !== undefined && !WORD.test(subresource)) throw unknownPath();
  const parts = { group, version, resource, namespace, name, subresource };
  return { kind: 'resource', ...parts, path: formatResourcePath(parts) };
}

/** `namespaces/x/pods` is pods in x; `namespaces/x`, `namespaces/x/status` and `…/finalize` are the namespace itself. */
function splitNamespace(segments: readonly string[]): { namespace: string | undefined; rest: readonly string[] } {
  const [first, namespace, third] = segments;
  if (first !== 'namespaces' || third === undefined || third === 'status' || third === 'finalize') {
    return { namespace: undefined, rest: segments };
  }
  if (!NAMESPACE.test(namespace ?? '')) throw unknownPath();
  return { namespace, rest: segments.slice(2) };
}

function unknownPath(): Refusal {
  return new Refusal(400, 'BadRequest', 'The path is not one of a Kubernetes API request.');
}
