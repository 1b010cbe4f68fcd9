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
import { itemsOf, listJson, listPage, pageMetadata, partialMetadata, partialMetadataList, tooNew } from './list';
import { parseListOptions, parseRevision } from './list-options';
import { type EventForm, serveWatch } from './watch';

/** GET of one object. */
export async function serveGet(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const revision = parseRevision(exchange.query.get('resourceVersion') ?? '', 'get') ?? 0;
  if (revision > core.registry.store.revision) throw tooNew(revision, core.registry.store.revision);
  const stored = getStored(core.registry, place);
  await core.registry.store.committed(stored.revision);
  sendObject(core, exchange, 200, place.info, stored, accepted);
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
  const json =
    accepted.as === 'Table'
      ? listTable(core, info, itemsOf(info, page), pageMetadata(page), tableRequest(exchange, accepted))
      : accepted.as === undefined
        ? listJson(info, page)
        : partialMetadataList(itemsOf(info, page), page);
  sendJson(exchange, 200, json, accepted);
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
