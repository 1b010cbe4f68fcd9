import { cloneJson } from '@/lib/json/json';
import { readBody } from '../exchange/body';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import { readJsonObject } from '../exchange/parse-object';
import { isTrue } from '../rbac/request-info';
import { applyObject } from '../registry/apply';
import type { WriteContext } from '../registry/context';
import { inVersion } from '../registry/convert';
import { applyPatch, type PatchKind } from '../registry/patch';
import { getStored, type ObjectPlace } from '../registry/registry';
import { writeUpdate } from '../registry/update';
import type { StoredObject } from '../store/collection';
import { parsePatch } from './patch-handler';
import { appliedObject, checkScale, refuseUnowned, scaleOf, setReplicas } from './scale';

interface ScaleWrite {
  readonly kind: PatchKind | 'update';
  readonly context: WriteContext;
}

/** PUT of a Scale, and each patch of it but an apply: an update of the object with the replicas of the Scale. */
export async function writeScale(
  { registry }: SandboxCore,
  { request }: Exchange,
  place: ObjectPlace,
  { kind, context }: ScaleWrite,
): Promise<StoredObject> {
  const body = kind === 'update' ? await readJsonObject(request, 'Scale') : parsePatch(await readBody(request), kind);
  const current = getStored(registry, place);
  const before = inVersion(place.info, current).object;
  const scale = kind === 'update' ? body : applyPatch(place, { kind, value: body }, scaleOf(place, before, 'lenient'));
  checkScale(place, before, scale);
  const object = cloneJson(before);
  setReplicas(place, object, scale);
  return writeUpdate(registry, place, { current, object }, context);
}

/** Server-side apply of a Scale: of the replicas of its object, by a manager of the subresource. */
export async function applyScale(
  { registry }: SandboxCore,
  { request, query }: Exchange,
  place: ObjectPlace,
  context: WriteContext,
): Promise<StoredObject> {
  const object = appliedObject(place, await readBody(request));
  const force = isTrue(query.get('force'));
  if (!force) refuseUnowned(place, getStored(registry, place).object, object);
  const apply = { text: JSON.stringify(object), force, manager: context.fieldManager };
  return applyObject(registry, place, apply, context).stored;
}
