import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { formatApiVersion } from '@/lib/kube/object';
import { badRequest, expired, failure } from '../errors/status';
import { inVersion } from '../registry/convert';
import { checkFieldLabels, matchesFields } from '../registry/field-labels';
import type { Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { matchesLabels } from '../selectors/selector';
import type { StoredObject } from '../store/collection';
import { decodeContinue, encodeContinue } from './continue-token';
import { type ListOptions, parseRevision } from './list-options';

/** One page of a list. */
export interface ListPage {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
  readonly remaining: number | undefined;
}

/** The objects that a list request means, at the revision that it means. */
export function listPage(
  registry: Registry,
  info: ResourceInfo,
  namespace: string | undefined,
  options: ListOptions,
): ListPage {
  checkFieldLabels(info, options.fields);
  const from = startOf(registry, options);
  const entries = registry.store.entriesAt(info.storage, from.revision, { namespace, after: from.after });
  if (entries === undefined) throw tooOld(options);
  const limit = options.resourceVersion === '0' && options.continueToken === '' ? 0 : Math.max(0, options.limit);
  const items: StoredObject[] = [];
  let more = false;
  let lastKey = '';
  for (const [key, stored] of entries) {
    if (!selects(info, options, stored)) continue;
    more = limit > 0 && items.length >= limit;
    if (more) break;
    items.push(stored);
    lastKey = key;
  }
  const selective = options.labels.length > 0 || options.fields.length > 0;
  return {
    items,
    resourceVersion: String(from.revision),
    continueToken: more ? encodeContinue({ revision: from.revision, after: lastKey }) : '',
    remaining: more && !selective ? entries.countAfter(lastKey) : undefined,
  };
}

/** True when an object meets the selectors of a request, in the version of the request. */
export function selects(
  info: ResourceInfo,
  options: Pick<ListOptions, 'labels' | 'fields'>,
  stored: StoredObject,
): boolean {
  if (!matchesLabels(options.labels, stored.object.metadata.labels)) return false;
  return options.fields.length === 0 || matchesFields(options.fields, inVersion(info, stored).object);
}

function startOf(registry: Registry, options: ListOptions): { revision: number; after: string | undefined } {
  const current = registry.store.revision;
  if (options.continueToken !== '') {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const token = decodeContinue(options.continueToken);
    return { revision: token.revision < 0 ? current : token.revision, after: token.after };
  }
  const revision = parseRevision(options.resourceVersion, 'list');
  if (revision === undefined || revision === 0) return { revision: current, after: undefined };
  if (revision > current) throw tooNew(revision, current);
  const exact = options.match === 'Exact' || (options.match === '' && options.limit > 0);
  return { revision: exact ? revision : current, after: undefined };
}

function tooOld(options: ListOptions): Error {
  return expired(
    options.continueToken === ''
      ? 'The resourceVersion for the provided list is too old.'
      : 'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
  );
}

/** 504: the client has seen a revision that this server has not. */
export function tooNew(revision: number, current: number): Error {
  const message = `Too large resource version: ${revision}, current: ${current}`;
  return failure(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** The metadata of a list. */
export function pageMetadata({ resourceVersion, continueToken, remaining }: ListPage): { [key: string]: JsonValue } {
  return {
    resourceVersion,
    ...(continueToken === '' ? {} : { continue: continueToken }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** The page as the JSON text of its list kind. Items of built-in lists leave out apiVersion and kind. */
export function listJson(info: ResourceInfo, page: ListPage): string {
  const metadata = info.custom === undefined ? pageMetadata(page) : { continue: '', ...pageMetadata(page) };
  const apiVersion = formatApiVersion(info.group, info.version);
  const prefix = `{"kind":${JSON.stringify(info.kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  const items = page.items.map((stored) => {
    const { json } = inVersion(info, stored);
    return info.custom === undefined && json.startsWith(prefix) ? `{${json.slice(prefix.length)}` : json;
  });
  const head = JSON.stringify({ kind: info.listKind, apiVersion, metadata });
  return `${head.slice(0, -1)},"items":[${items.join(',')}]}`;
}

const META = 'meta.k8s.io/v1';

/** An object reduced to its metadata (meta/v1 PartialObjectMetadata). */
export function partialMetadata({ metadata }: KubeObject): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion: META, metadata };
}

/** A page reduced to metadata, as JSON text. */
export function partialMetadataList(objects: readonly KubeObject[], page: ListPage): string {
  const head = { kind: 'PartialObjectMetadataList', apiVersion: META, metadata: pageMetadata(page) };
  return JSON.stringify({ ...head, items: objects.map(partialMetadata) });
}

export function itemsOf(info: ResourceInfo, page: ListPage): KubeObject[] {
  return page.items.map((stored) => inVersion(info, stored).object);
}
