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
import { getStored, type ObjectPlace, type ResourcePlace } from '../registry/registry';
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
  sendObject(core, exchange, { code: 200, info: place.info, stored }, accepted);
}

/** What a list or watch is of. `name` is set for a watch of one name (`/watch/…/name`). */
export interface ListPlace extends ResourcePlace {
  readonly name: string | undefined;
}

/** GET of a resource: a page of objects, or a watch. */
export async function serveList(core: SandboxCore, exchange: Exchange, place: ListPlace): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const { query } = exchange;
  const { info, namespace } = place;
  const watch = exchange.info.verb === 'watch';
  const options = parseListOptions(query, watch);
  if (watch) {
    if (accepted.mediaType !== 'application/json') throw notAcceptable(STREAM_MEDIA_TYPES);
    const form = accepted.as === undefined ? undefined : eventForm({ core, info, query, accepted });
    serveWatch(core.registry, exchange, { ...place, options, form });
    return;
  }
  const page = listPage(core.registry, info, namespace, options);
  await core.registry.store.committed();
  const json =
    accepted.as === 'Table'
      ? listTable(
          core,
          info,
          { objects: itemsOf(info, page), metadata: pageMetadata(page) },
          tableRequest(query, accepted),
        )
      : accepted.as === undefined
        ? listJson(info, page)
        : partialMetadataList(itemsOf(info, page), page);
  sendJson(exchange, 200, json, accepted);
}

/** How the objects of a resource are written in one answer. */
interface ObjectForm {
  readonly core: SandboxCore;
  readonly info: ResourceInfo;
  readonly query: URLSearchParams;
  readonly accepted: Accepted;
}

/** The form of a watch's events: a Table contains its columns in the first event only. */
function eventForm(form: ObjectForm): EventForm {
  const { core, info, query, accepted } = form;
  let headers: 'shown' | 'absent' = 'shown';
  return (stored) => {
    if (accepted.as !== 'Table') return written(form, stored);
    const request: TableRequest = { ...tableRequest(query, accepted), headers };
    headers = 'absent';
    return objectTable(core, info, inVersion(info, stored).object, request);
  };
}

/** An object as the answer to a request. */
export interface ObjectAnswer {
  readonly code: number;
  readonly info: ResourceInfo;
  readonly stored: StoredObject;
}

/** Sends one object in the form that was negotiated. */
export function sendObject(
  core: SandboxCore,
  exchange: Exchange,
  { code, info, stored }: ObjectAnswer,
  accepted: Accepted,
): void {
  sendJson(exchange, code, written({ core, info, query: exchange.query, accepted }, stored), accepted);
}

function written({ core, info, query, accepted }: ObjectForm, stored: StoredObject): string {
  const form = inVersion(info, stored);
  if (accepted.as === 'Table') return objectTable(core, info, form.object, tableRequest(query, accepted));
  if (accepted.as !== undefined) return JSON.stringify(partialMetadata(form.object));
  return form.json;
}

function tableRequest(query: URLSearchParams, { asVersion }: Accepted): TableRequest {
  return { query, version: asVersion };
}
