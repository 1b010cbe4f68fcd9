import { rfc3339 } from '@/lib/clock/rfc3339';
import { arrayAt, getAt, isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { invalid } from '@/lib/schema/field-error';
import { API_AUDIENCE, type BoundObject } from '../auth/service-account-tokens';
import { badRequest, conflict, invalidStatus, notFound } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type Exchange, sendJson } from '../exchange/exchange';
import { negotiate } from '../exchange/negotiation';
import { readJsonObject, readObject } from '../exchange/parse-object';
import { writeContext } from '../exchange/write-options';
import type { UserInfo } from '../rbac/user';
import { getStored, type ObjectPlace, type Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';

/** SelfSubjectReview: who the server thinks the asking user is. */
export async function serveSelfSubjectReview(core: SandboxCore, exchange: Exchange, info: ResourceInfo): Promise<void> {
  const accepted = negotiate(exchange.request);
  const review = await readObject(exchange, info, writeContext(exchange, 'CreateOptions', undefined));
  review.metadata.creationTimestamp = rfc3339(core.registry.clock.now());
  sendJson(exchange, 201, JSON.stringify({ ...review, status: { userInfo: userJson(exchange.user) } }), accepted);
}

/** TokenReview: whom a token belongs to. */
export async function serveTokenReview(core: SandboxCore, exchange: Exchange, info: ResourceInfo): Promise<void> {
  const accepted = negotiate(exchange.request);
  const review = await readObject(exchange, info, writeContext(exchange, 'CreateOptions', undefined));
  const token = stringAt(review, 'spec', 'token') ?? '';
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const asked = arrayAt(review, 'spec', 'audiences').map(String);
  const verified = core.authority.review(token, asked.length === 0 ? [API_AUDIENCE] : asked);
  const status: JsonObject =
    verified === undefined
      ? { user: {}, error: 'invalid bearer token' }
      : { authenticated: true, user: userJson(verified.user), audiences: [...verified.audiences] };
  sendJson(exchange, 201, JSON.stringify({ ...review, status }), accepted);
}

function userJson({ name, uid, groups, extra }: UserInfo): JsonObject {
  const json: JsonObject = { username: name };
  if (uid !== '') json.uid = uid;
  if (groups.length > 0) json.groups = [...groups];
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  if (entries.length > 0) json.extra = Object.fromEntries(entries);
  return json;
}

const HOUR_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/** POST serviceaccounts/NAME/token (authentication/v1 TokenRequest). */
export async function serveTokenRequest(core: SandboxCore, exchange: Exchange, place: ObjectPlace): Promise<void> {
  const accepted = negotiate(exchange.request);
  const value = await readJsonObject(exchange.request, 'TokenRequest');
  const account = getStored(core.registry, place).object;
  const spec = objectAt(value, 'spec');
  const audiences = arrayAt(spec, 'audiences').map(String);
  const given = numberAt(spec, 'expirationSeconds') ?? HOUR_SECONDS;
  checkExpiration(given);
  const reference = getAt(spec, 'boundObjectRef');
  const bound = isJsonObject(reference) ? boundObject(core.registry, place, reference) : undefined;
  const order = {
    namespace: place.namespace ?? '',
    account: { name: place.name, uid: account.metadata.uid ?? '' },
    audiences: audiences.length === 0 ? [API_AUDIENCE] : audiences,
    lifeSeconds: given,
    bound,
  };
  const { token, expiresMs } = core.authority.tokens.issue(order);
  const answer = {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: place.name,
      namespace: place.namespace,
      uid: account.metadata.uid,
      creationTimestamp: rfc3339(core.registry.clock.now()),
    },
    spec: { audiences: order.audiences, expirationSeconds: given, boundObjectRef: reference ?? null },
    status: { token, expirationTimestamp: rfc3339(expiresMs) },
  };
  sendJson(exchange, 201, JSON.stringify(answer), accepted);
}

function checkExpiration(seconds: number): void {
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return;
  const limit = seconds < MIN_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds';
  const error = invalid('spec.expirationSeconds', seconds, `may not specify a duration ${limit}`);
  throw invalidStatus({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [error]);
}

function boundObject(registry: Registry, place: ObjectPlace, reference: JsonObject): BoundObject {
  const kind = stringAt(reference, 'kind') ?? '';
  const apiVersion = stringAt(reference, 'apiVersion') ?? '';
  const name = stringAt(reference, 'name') ?? '';
  if (apiVersion !== 'v1' || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node')) {
    const slash = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
    throw badRequest(`cannot bind token to object of type ${slash}, Kind=${kind}`);
  }
  const storage = `${kind.toLowerCase()}s`;
  const key = kind === 'Node' ? name : `${place.namespace}/${name}`;
  const found = registry.store.get(storage, key)?.object;
  if (found === undefined) throw notFound({ group: '', resource: storage }, name);
  const uid = stringAt(reference, 'uid') ?? '';
  if (uid !== '' && uid !== found.metadata.uid) {
    const text = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: '', resource: kind }, name, text);
  }
  return { kind, name, uid: found.metadata.uid ?? '' };
}
