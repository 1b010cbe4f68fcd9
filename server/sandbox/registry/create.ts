import { rfc3339 } from '@/lib/clock/rfc3339';
import type { KubeObject } from '@/lib/kube/object';
import { randomInteger, randomUuid } from '@/lib/random/random';
import { badRequest, failure, forbidden, notFound } from '../errors/status';
import type { StoredObject } from '../store/collection';
import type { WriteContext } from './context';
import { trackCreate } from './managed-fields';
import { refuseEscalation } from './refuse-escalation';
import { findStored, type Registry, type ResourcePlace, refuseExisting, refuseInvalid } from './registry';
import type { ResourceInfo } from './resource-info';
import { putObject } from './store-write';
import { strategyContextOf } from './strategy-context';
import { validateMetadata } from './validate-metadata';

const NAME_CHARS = 'bcdfghjklmnpqrstvwxz2456789';
const MAX_GENERATED_STEM = 58;

/**
 * Creates an object that was decoded and defaulted, and that the caller gives away. 404 without the namespace, 403 in one
 * that terminates, 422 when it is not valid, 409 when it exists.
 */
export function createObject(
  registry: Registry,
  { info, namespace }: ResourcePlace,
  given: KubeObject,
  context: WriteContext,
): StoredObject {
  settleNamespace(info, namespace, given);
  if (info.custom?.terminating === true) {
    throw forbidden(
      info,
      given.metadata.name ?? '',
      'create not allowed while custom resource definition is terminating',
    );
  }
  admitNamespace(registry, info, namespace, given);
  const { gate, subresource } = context;
  const seen = { operation: 'CREATE', info, namespace, name: given.metadata.name ?? '', subresource } as const;
  const object = gate?.pass({ ...seen, object: given, old: undefined }) ?? given;
  refuseEscalation(registry, info, { object }, context);
  const givenVersion = object.metadata.resourceVersion ?? '';
  prepareMetadata(registry, object);
  const strategyContext = strategyContextOf(registry, context);
  object.metadata.creationTimestamp = rfc3339(registry.clock.now());
  object.metadata.uid = randomUuid(registry.random);
  trackCreate(registry, info, object, context);
  info.strategy.prepareForCreate(object, strategyContext);
  dropDuplicateOwners(object, context);
  const name = object.metadata.name ?? '';
  refuseInvalid(info, name, [
    ...validateMetadata(info, object),
    ...info.strategy.validateCreate(object, strategyContext),
  ]);
  refuseVersion(givenVersion);
  context.onValid?.();
  const place = { info, namespace, name };
  const existing = findStored(registry, place);
  if (existing !== undefined) refuseExisting(place, existing.object);
  if (context.dryRun) return { object, revision: 0, json: JSON.stringify(object) };
  return putObject(registry, place, object);
}

function refuseVersion(given: string): void {
  if (given !== '' && given !== '0')
    throw failure(500, '', 'resourceVersion should not be set on objects to be created');
}

/** Sets the namespace of the path, or 400 when the object names another. */
export function settleNamespace(info: ResourceInfo, namespace: string | undefined, object: KubeObject): void {
  const own = object.metadata.namespace ?? '';
  if (!info.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  if (own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace !== undefined) object.metadata.namespace = namespace;
}

/** Kubernetes' admission plugin NamespaceLifecycle, for creates. */
export function admitNamespace(
  registry: Registry,
  info: ResourceInfo,
  namespace: string | undefined,
  object: KubeObject,
): void {
  if (namespace === undefined || !info.namespaced) return;
  const found = registry.store.get('namespaces', namespace)?.object;
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const text = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = forbidden(info, object.metadata.name ?? '', text);
  const message = `namespace ${namespace} is being terminated`;
  const causes = [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }];
  error.status.details = { ...error.status.details, causes };
  throw error;
}

function prepareMetadata(registry: Registry, object: KubeObject): void {
  const { metadata } = object;
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'resourceVersion', 'uid'])
    delete (metadata as Record<string, unknown>)[field];
  if ((metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '') {
    metadata.name = generateName(registry, metadata.generateName ?? '');
  }
}

function generateName(registry: Registry, stem: string): string {
  let suffix = '';
  for (let count = 0; count < 5; count++) suffix += NAME_CHARS[randomInteger(registry.random, NAME_CHARS.length)];
  return stem.slice(0, MAX_GENERATED_STEM) + suffix;
}

/** The same owner twice counts once, with a warning (apiserver endpoints/handlers dedupOwnerReferences). */
export function dropDuplicateOwners(object: KubeObject, context: WriteContext): void {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined) return;
  const unique = new Map(owners.map((owner) => [JSON.stringify(owner), owner]));
  if (unique.size === owners.length) return;
  const twice = owners.filter((owner, index) => owners.findIndex(({ uid }) => uid === owner.uid) < index);
  const uids = [...new Set(twice.map(({ uid }) => uid))].join(', ');
  object.metadata.ownerReferences = [...unique.values()];
  context.warnings.push(
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
}
