import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate, objectConversions } from '../exchange/negotiation';
import { writeContext } from '../exchange/write-options';
import { inVersion } from '../registry/convert';
import { getStored, type ObjectPlace } from '../registry/registry';
import { objectTable } from '../tables/table';
import { patchKind } from './patch-handler';
import { scaleOf } from './scale';
import { applyScale, writeScale } from './write-scale';

/** GET, PUT and PATCH of `/scale` (autoscaling/v1 Scale) of built-in and of custom resources. */
export async function serveScale(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const { verb } = exchange.info;
  if (verb === 'get') {
    const stored = getStored(core.registry, place);
    await core.registry.store.committed();
    sendScale(core, exchange, place, scaleOf(place, inVersion(place.info, stored).object, 'strict'));
    return;
  }
  const context = {
    ...writeContext(exchange, verb === 'patch' ? 'PatchOptions' : 'UpdateOptions', 'scale'),
    // What the strategy sees is an ordinary update: replicas are part of spec.
    subresource: undefined,
    managerSubresource: 'scale',
  };
  const kind = verb === 'patch' ? patchKind(exchange, place) : 'update';
  const written =
    kind === 'apply'
      ? await applyScale(core, exchange, place, context)
      : await writeScale(core, exchange, place, { kind, context });
  await core.registry.store.committed();
  sendScale(core, exchange, place, scaleOf(place, written.object, 'lenient'));
}

function sendScale(core: SandboxCore, exchange: Exchange, { info }: ObjectPlace, scale: JsonObject): void {
  const accepted = negotiate(exchange.request, objectConversions);
  const request = { query: exchange.query, version: accepted.asVersion };
  const json =
    accepted.as === 'Table' ? objectTable(core, info, scale as unknown as KubeObject, request) : JSON.stringify(scale);
  sendJson(exchange, 200, json, accepted);
}
