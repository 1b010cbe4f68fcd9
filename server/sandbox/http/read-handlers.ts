import { failure } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import {
  type Accepted,
  negotiate,
  notAcceptable,
  objectConversions,
  STREAM_MEDIA_TYPES,
} from '../exchange/negotiation';
import { inVersion } from '../registry/convert';
import { getStored, type ObjectPlace } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import type { StoredObject } from '../store/collection';
import { listTable, objectTable, type TableRequest } from '../tables/table';
import { itemsOf, listJson, listPage, tooNew } from './list';
import { parseListOptions, parseRevision } from './list-options';
import { partialMetadata, partialMetadataList } from './partial-metadata';
import { type EventForm, serveWatch } from './watch';

/** GET of one object. */
export async function serveGet(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const revision = parseGetRevision(exchange.query.get('resourceVersion') ?? '');
  if (revision > core.registry.store.revision) throw tooNew(revision, core.registry.store.revision);
  const stored = getStored(core.registry, place);
  await core.registry.store.committed(stored.revision);
  sendObject(core, exchange, 200, place.info, stored, accepted);
}

/** `get` and `list` report a bad resourceVersion in different words. */
function parseGetRevision(text: string): number {
  try {
    return parseRevision(text, 'watch') ?? 0;
  } catch (error) {
    if (error instanceof Error) throw failure(500, '', error.message);
    throw error;
  }
}

/** GET of a resource: a page of objects, or a watch. */
export async function serveList(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  namespace: string | undefined,
  name: string | undefined,
): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const watch = exchange.info.verb === 'watch';
  const options = parseListOptions(exchange.query, watch);
  if (watch) {
    if (accepted.mediaType !== 'application/json') throw notAcceptable(STREAM_MEDIA_TYPES);
    const form = accepted.as === undefined ? undefined : eventForm(core, exchange, info, accepted);
    serveWatch(core.registry, exchange, { info, namespace, name, options, form });
    return;
  }
  const page = listPage(core.registry, info, namespace, options);
  await core.registry.store.committed();
  if (accepted.as === 'Table') {
    sendJson(
      exchange,
      200,
      listTable(core, info, itemsOf(info, page), page, tableRequest(exchange, accepted)),
      accepted,
    );
  } else if (accepted.as !== undefined) {
    sendJson(exchange, 200, partialMetadataList(itemsOf(info, page), page), accepted);
  } else {
    sendJson(exchange, 200, listJson(info, page), accepted);
  }
}

/** The form of a watch's events: a Table contains its columns in the first event only. */
function eventForm(core: SandboxCore, exchange: Exchange, info: ResourceInfo, accepted: Accepted): EventForm {
  let headers: 'shown' | 'absent' = 'shown';
  return (stored) => {
    if (accepted.as !== 'Table') return formOf(core, exchange, info, stored, accepted);
    const request: TableRequest = { ...tableRequest(exchange, accepted), headers };
    headers = 'absent';
    return objectTable(core, info, inVersion(info, stored).object, request);
  };
}

/** One object in the form that was negotiated. */
export function sendObject(
  core: SandboxCore,
  exchange: Exchange,
  code: number,
  info: ResourceInfo,
  stored: StoredObject,
  accepted: Accepted,
): void {
  sendJson(exchange, code, formOf(core, exchange, info, stored, accepted), accepted);
}

function formOf(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  stored: StoredObject,
  accepted: Accepted,
): string {
  const form = inVersion(info, stored);
  if (accepted.as === 'Table') return objectTable(core, info, form.object, tableRequest(exchange, accepted));
  if (accepted.as !== undefined) return JSON.stringify(partialMetadata(form.object));
  return form.json;
}

function tableRequest({ query }: Exchange, { asVersion }: Accepted): TableRequest {
  return { query, version: asVersion };
}
