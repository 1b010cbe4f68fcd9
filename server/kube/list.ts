import { TerminalError } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import type { ListedPage, ListRequest, ObjectList, PagedListRequest, Target } from './api';
import type { Caller } from './caller';
import { isGone } from './errors';

const PAGE_SIZE = 500;

/**
 * Lists page by page (500). When the `continue` token has expired (410), everything is read again in one request, as
 * client-go's pager does. Items get the apiVersion and kind that the API leaves out of lists.
 */
export async function readAllPages(caller: Caller, target: Target, options: PagedListRequest): Promise<ObjectList> {
  try {
    return await readPages(caller, target, options, PAGE_SIZE);
  } catch (error) {
    if (!isGone(error)) throw error;
    return readPages(caller, target, options, undefined);
  }
}

async function readPages(
  caller: Caller,
  target: Target,
  options: PagedListRequest,
  limit: number | undefined,
): Promise<ObjectList> {
  const items: KubeObject[] = [];
  const keep = (page: ListedPage): void => {
    for (const item of page.items) items.push(item);
  };
  const take = options.onPage ?? keep;
  let token = '';
  for (;;) {
    const page = await readPage(caller, target, options, { limit, token });
    take({ items: itemsOf(page), isFirst: token === '', remaining: remainingOf(page) });
    token = stringAt(page, 'metadata', 'continue') ?? '';
    if (token === '') return { resourceVersion: stringAt(page, 'metadata', 'resourceVersion') ?? '', items };
  }
}

async function readPage(
  caller: Caller,
  target: Target,
  options: ListRequest,
  paging: { limit: number | undefined; token: string },
): Promise<JsonObject> {
  const query = selectorQuery(options);
  if (paging.limit !== undefined) query.set('limit', String(paging.limit));
  if (paging.token !== '') query.set('continue', paging.token);
  else if (options.resourceVersion !== undefined) query.set('resourceVersion', options.resourceVersion);
  const { name: _, ...collection } = target;
  const path = `${formatResourcePath(collection)}?${query.toString()}`;
  const page: JsonValue = await caller.json(
    { method: 'GET', path, headers: { accept: 'application/json' }, signal: options.signal },
    limits.listDeadlineMs,
  );
  if (isJsonObject(page) && (Array.isArray(page.items) || page.items === null || page.items === undefined)) return page;
  throw new TerminalError('The response of the Kubernetes API is not a list.', 'MalformedAnswer');
}

/** The selectors of a list or watch as query parameters; `name` of the target is not among them. */
export function selectorQuery(options: ListRequest): URLSearchParams {
  const query = new URLSearchParams();
  if (options.labelSelector !== undefined) query.set('labelSelector', options.labelSelector);
  if (options.fieldSelector !== undefined) query.set('fieldSelector', options.fieldSelector);
  return query;
}

function remainingOf(page: JsonObject): number | undefined {
  const count = objectAt(page, 'metadata').remainingItemCount;
  return typeof count === 'number' ? count : undefined;
}

function itemsOf(page: JsonObject): KubeObject[] {
  const kind = (stringAt(page, 'kind') ?? '').replace(/List$/, '');
  const apiVersion = stringAt(page, 'apiVersion') ?? 'v1';
  const result: KubeObject[] = [];
  for (const item of Array.isArray(page.items) ? page.items : []) {
    if (!isJsonObject(item)) continue;
    const complete = { ...item, apiVersion: item.apiVersion ?? apiVersion, kind: item.kind ?? kind };
    if (isKubeObject(complete)) result.push(complete);
  }
  return result;
}
