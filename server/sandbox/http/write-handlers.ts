import { cloneJson } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { withAdmission } from '../admission/with-admission';
import { deleted } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate, objectConversions } from '../exchange/negotiation';
import { readObject } from '../exchange/parse-object';
import { writeContext } from '../exchange/write-options';
import type { WriteContext } from '../registry/context';
import { createObject } from '../registry/create';
import { type DeleteRequest, deleteObject } from '../registry/delete';
import { returnsDeletedObject } from '../registry/kind-traits';
import type { ObjectPlace } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { replaceObject } from '../registry/update';
import { parseDeleteOptions } from './delete-options';
import { listJson, listPage } from './list';
import { parseListOptions } from './list-options';
import { sendObject } from './read-handlers';

/** POST of a new object. */
export async function serveCreate(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  namespace: string | undefined,
): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const context = writeContext(exchange, 'CreateOptions', undefined);
  const object = await readObject(exchange, info, context);
  const stored = await withAdmission(core.registry, info, context, (admitted) =>
    createObject(core.registry, { info, namespace }, ownCopy(object, admitted), admitted),
  );
  await core.registry.store.committed();
  sendObject(core, exchange, { code: 201, info, stored }, accepted);
}

/** PUT of an object or of its status. */
export async function serveUpdate(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string | undefined,
): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const context = {
    ...writeContext(exchange, 'UpdateOptions', subresource),
    authorizeCreate: () => core.authority.authorize(exchange.user, { ...exchange.info, verb: 'create' }),
  };
  const object = await readObject(exchange, place.info, context);
  const { stored, created } = await withAdmission(core.registry, place.info, context, (admitted) =>
    replaceObject(core.registry, place, ownCopy(object, admitted), admitted),
  );
  await core.registry.store.committed();
  sendObject(core, exchange, { code: created ? 201 : 200, info: place.info, stored }, accepted);
}

/** DELETE of one object. */
export async function serveDelete(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const request = await parseDeleteOptions(exchange);
  const context = deleteContext(exchange, request);
  const { stored, gone } = await withAdmission(core.registry, place.info, context, (admitted) =>
    deleteObject(core.registry, place, request, admitted),
  );
  await core.registry.store.committed();
  if (!gone || returnsDeletedObject(place.info)) {
    // What goes later is only accepted, for clients that ask in the old way for what depends on it to go first.
    const code = !gone && request.orphanDependents === false ? 202 : 200;
    sendObject(core, exchange, { code, info: place.info, stored }, accepted);
    return;
  }
  const status = deleted(place.info, place.name, stored.object.metadata.uid ?? '');
  sendJson(exchange, 200, JSON.stringify(status), accepted);
}

/** DELETE of all objects that the query selects; answers the list of what was deleted. */
export async function serveDeleteCollection(
  core: SandboxCore,
  exchange: Exchange,
  info: ResourceInfo,
  namespace: string | undefined,
): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const request = await parseDeleteOptions(exchange);
  const context = deleteContext(exchange, request);
  const page = listPage(core.registry, info, namespace, parseListOptions(exchange.query, false));
  for (const { object } of page.items) {
    const place = { info, namespace: object.metadata.namespace, name: object.metadata.name ?? '' };
    await withAdmission(core.registry, info, context, (admitted) =>
      deleteObject(core.registry, place, request, admitted),
    );
  }
  const after = { ...page, resourceVersion: String(core.registry.store.revision) };
  await core.registry.store.committed();
  sendJson(exchange, 200, listJson(info, after), accepted);
}

/** A write that may run again keeps what it was given; one that runs once may have it. */
function ownCopy(object: KubeObject, { gate }: WriteContext): KubeObject {
  return gate === undefined ? object : cloneJson(object);
}

function deleteContext({ warnings, user }: Exchange, { dryRun }: DeleteRequest & { dryRun: boolean }): WriteContext {
  return { dryRun, fieldManager: '', fieldValidation: 'Ignore', subresource: undefined, warnings, user };
}
