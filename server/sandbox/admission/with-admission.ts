import type { KubeObject } from '@/lib/kube/object';
import { conflict } from '../errors/status';
import { AdmissionGate, AdmissionNeeded } from '../registry/admission-gate';
import type { WriteContext } from '../registry/context';
import { decodeObject } from '../registry/decode-object';
import type { Registry } from '../registry/registry';
import type { ResourceInfo } from '../registry/resource-info';
import { admitMutating, admitValidating } from './admit';
import { concerns, looksAt, type NamespaceLabels } from './matching';
import { type Webhook, webhooksOf } from './webhook';

const STORAGES = [
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
];

/** A write that others overtook so often while webhooks were asked is given up. */
const MAX_ROUNDS = 10;

/**
 * Runs a client's write to a resource; asks the webhooks that concern it. With such a webhook `write` gets a gate and
 * must be able to run more than once: it may change nothing but the store, and that last.
 */
export async function withAdmission<Result>(
  registry: Registry,
  info: ResourceInfo,
  context: WriteContext,
  write: (context: WriteContext) => Result,
): Promise<Result> {
  const webhooks = readWebhooks(registry).filter((webhook) => looksAt(webhook, info, context.subresource));
  if (webhooks.length === 0) return write(context);
  const labelsOf: NamespaceLabels = (namespace) =>
    registry.store.get('namespaces', namespace)?.object.metadata.labels ?? {};
  const circumstances = { user: context.user, labelsOf };
  const gate = new AdmissionGate((request) => webhooks.some((webhook) => concerns(webhook, request, circumstances)));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      return write({ ...context, gate });
    } catch (error) {
      if (!(error instanceof AdmissionNeeded)) throw error;
      const { request } = error;
      const decode = (object: KubeObject) => decodeObject(request.info, object, context);
      const { random, postReview: post } = registry;
      const options = { webhooks, labelsOf, random, context, decode, post };
      const answer = await admitMutating(request, options);
      gate.answer(error, answer);
      await admitValidating({ ...request, object: answer.object }, options).catch((denial: unknown) => {
        refuseInvalidFirst((trial) => write({ ...context, ...trial, gate }));
        throw denial;
      });
    }
  }
  throw conflict({ group: '', resource: 'objects' }, '', 'it changed again and again while webhooks were asked');
}

/** Thrown to end a trial write that turned out valid. */
class ValidWrite extends Error {}

/**
 * A validating webhook has denied a write. The API server validates an object before it asks these webhooks, so an invalid
 * object is refused as invalid, whatever they said.
 *
 * @throws StatusError of an invalid object
 */
function refuseInvalidFirst(write: (trial: Pick<WriteContext, 'dryRun' | 'onValid'>) => unknown) {
  try {
    write({
      dryRun: true,
      onValid() {
        throw new ValidWrite();
      },
    });
  } catch (error) {
    // AdmissionNeeded: another write came in between; the client tries again.
    if (!(error instanceof ValidWrite) && !(error instanceof AdmissionNeeded)) throw error;
  }
}

/** Configurations are read once: the store never changes an object, it puts another in its place. */
const known = new WeakMap<KubeObject, readonly Webhook[]>();

function readWebhooks(registry: Registry): Webhook[] {
  const found: Webhook[] = [];
  for (const storage of STORAGES) {
    for (const [, { object }] of registry.store.collection(storage).entries()) {
      const webhooks = known.get(object) ?? webhooksOf(object);
      known.set(object, webhooks);
      found.push(...webhooks);
    }
  }
  return found;
}
