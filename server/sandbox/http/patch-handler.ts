import { isJsonObject, type JsonValue } from '@/lib/json/json';
import { withAdmission } from '../admission/with-admission';
import { jsonTypeName } from '../errors/json-type-name';
import { badRequest, failure } from '../errors/status';
import { checkDepth, readBody } from '../exchange/body';
import type { SandboxCore } from '../exchange/core';
import type { Exchange } from '../exchange/exchange';
import { parseJsonAsGo } from '../exchange/go-json';
import { contentTypeOf, negotiate, objectConversions, unsupportedMediaType } from '../exchange/negotiation';
import { writeContext } from '../exchange/write-options';
import { isTrue } from '../rbac/request-info';
import { applyObject } from '../registry/apply';
import { type PatchKind, patchObject } from '../registry/patch';
import type { ObjectPlace } from '../registry/registry';
import { sendObject } from './read-handlers';

const KINDS: { readonly [type: string]: PatchKind | 'apply' } = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** PATCH of an object or of its status, in each of the four formats. */
export async function servePatch(
  core: SandboxCore,
  exchange: Exchange,
  place: ObjectPlace,
  subresource: string | undefined,
): Promise<void> {
  const accepted = negotiate(exchange.request, objectConversions);
  const kind = patchKind(exchange, place);
  const context = writeContext(exchange, 'PatchOptions', subresource);
  const text = await readBody(exchange.request);
  if (kind === 'apply') {
    const force = isTrue(exchange.query.get('force'));
    const manager = exchange.query.get('fieldManager') ?? '';
    const { stored, created } = await withAdmission(core.registry, place.info, context, (admitted) =>
      applyObject(core.registry, place, { text, force, manager }, admitted),
    );
    await core.registry.store.committed();
    sendObject(core, exchange, { code: created ? 201 : 200, info: place.info, stored }, accepted);
    return;
  }
  const patch = { kind, value: parsePatch(text, kind) };
  const stored = await withAdmission(core.registry, place.info, context, (admitted) =>
    patchObject(core.registry, place, patch, admitted),
  );
  await core.registry.store.committed();
  sendObject(core, exchange, { code: 200, info: place.info, stored }, accepted);
}

/** The format of a patch; 415 for others, and for strategic patches of custom resources. */
export function patchKind(exchange: Exchange, { info }: Pick<ObjectPlace, 'info'>): PatchKind | 'apply' {
  const kind = KINDS[contentTypeOf(exchange.request.headers['content-type'] ?? 'none')];
  if (kind !== undefined && !(kind === 'strategic' && info.custom !== undefined)) return kind;
  if (kind === 'strategic')
    throw unsupportedMediaType(Object.keys(KINDS).filter((type) => KINDS[type] !== 'strategic'));
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

export function parsePatch(text: string, kind: PatchKind): JsonValue {
  const patch = parseJsonAsGo(text, (why) =>
    badRequest(`${kind === 'strategic' ? '' : 'error decoding patch: '}${why}`),
  );
  checkDepth(patch);
  if (kind === 'merge' && patch === null) throw badRequest('Invalid JSON Patch');
  if (kind === 'merge' && !isJsonObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return patch;
}
