import { type Clock, sleep } from '@/lib/clock/clock';
import { BlockedError, messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { PROBE_LABEL } from '@/lib/kudo/admission/review';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { INSTALLED_BY } from '@/lib/kudo/installation/names';
import { KUDO_API_VERSION } from '@/lib/kudo/types';
import { type Random, randomUuid } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { codeOf, kubeErrorOf } from '@/server/kube/errors';
import type { ReachableAddress } from './address';
import { PROBE_ANSWER } from './answer';
import { CONFIGURATIONS, webhookEntry } from './registration';

/** Sorts before the registration, so that this one is asked first. */
export const PROBE_NAME = 'bravo-webhook-probe';
const PROBE_WEBHOOK = 'probe.bravo.kudo.dev';
const PROBE: Target = { ...CONFIGURATIONS, name: PROBE_NAME };

/** API servers learn of a configuration by a watch. */
const LEARNS_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 100;
/** Somebody else may refuse the dry run; ours is asked first as soon as it is known. */
const REFUSED_WITHIN_MS = 1_000;

/**
 * Whether the API server can call the webhook. `unreached` and `unknown` say why; unknown is what could not be tried, e.g.
 * because the right to create Instances is missing.
 */
export type Reach =
  | { readonly kind: 'reached' }
  | { readonly kind: 'unreached'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface ReachOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  /** One that exists. */
  readonly namespace: string;
}

/** Tells whether the API server reaches a webhook that serves a certificate of this authority. */
export type AskReach = (address: ReachableAddress, caBundlePem: string) => Promise<Reach>;

/**
 * Lets the API server call the webhook once, in nobody's way: by a configuration of its own that fits only an Instance with a
 * label that nobody else knows, and a dry run of creating that one. The webhook refuses it in words of its own, so a refusal
 * in these words has gone all the way; with `failurePolicy: Fail` the API server says itself what stood in the way.
 *
 * @throws what the API says when it cannot be asked at all
 */
export async function askReach(options: ReachOptions, address: ReachableAddress, caBundlePem: string): Promise<Reach> {
  const nonce = randomUuid(options.random);
  const { api } = options;
  let uid: string | undefined;
  try {
    uid = (await putProbe(api, address, caBundlePem, nonce)).metadata.uid;
    return await tryUntilLearned(options, nonce);
  } catch (error) {
    if (codeOf(error) === 403) return { kind: 'unknown', why: messageOf(error) };
    throw error;
  } finally {
    // One that stays fits nothing; the next try replaces it. Another leader may have put its own there.
    if (uid !== undefined) await api.delete(PROBE, { uid }).catch(() => undefined);
  }
}

async function putProbe(api: Api, address: ReachableAddress, caBundlePem: string, nonce: string): Promise<KubeObject> {
  const { matchConditions: _, ...entry } = webhookEntry(address, caBundlePem);
  const probe = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: PROBE_NAME, annotations: { [INSTALLED_BY]: 'bravo' } },
    webhooks: [
      {
        ...entry,
        name: PROBE_WEBHOOK,
        failurePolicy: 'Fail',
        objectSelector: { matchLabels: { [PROBE_LABEL]: nonce } },
      },
    ],
  };
  try {
    return await api.create(CONFIGURATIONS, probe);
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    // A process that was killed in the middle of its try left it.
    const left = await api.get(PROBE);
    if (left !== undefined) await api.delete(PROBE, { uid: left.metadata.uid });
    return api.create(CONFIGURATIONS, probe);
  }
}

async function tryUntilLearned(options: ReachOptions, nonce: string): Promise<Reach> {
  const { clock } = options;
  const startMs = clock.monotonic();
  for (;;) {
    const reach = await tryOnce(options, nonce);
    const takenMs = clock.monotonic() - startMs;
    if (reach !== undefined && (reach.kind !== 'unknown' || takenMs >= REFUSED_WITHIN_MS)) return reach;
    if (takenMs >= LEARNS_WITHIN_MS) return { kind: 'unreached', why: 'it called no webhook' };
    await sleep(clock, ASK_EVERY_MS);
  }
}

/** Undefined when the API server does not know the configuration yet. */
async function tryOnce({ api, namespace }: ReachOptions, nonce: string): Promise<Reach | undefined> {
  const metadata = { name: PROBE_NAME, namespace, labels: { [PROBE_LABEL]: nonce } };
  const instance = {
    apiVersion: KUDO_API_VERSION,
    kind: 'Instance',
    metadata,
    spec: { operatorVersion: { name: PROBE_NAME } },
  };
  try {
    await api.create({ ...INSTANCES, namespace }, instance, { dryRun: true });
    return undefined;
  } catch (error) {
    const said = kubeErrorOf(error)?.message ?? '';
    if (said.includes(`webhook "${PROBE_WEBHOOK}"`)) {
      return said.includes(PROBE_ANSWER) ? { kind: 'reached' } : { kind: 'unreached', why: said };
    }
    // Somebody else's webhook, whom nobody reaches either: KUDO's with `failurePolicy: Fail`, before ours is known.
    if (said.includes('failed calling webhook')) return undefined;
    if (codeOf(error) >= 400 && codeOf(error) < 500) return { kind: 'unknown', why: said };
    throw error;
  }
}

/** What is thrown, and so said and tried again, when nobody can call the webhook. */
export function notReached(place: string, why: string): BlockedError {
  return new BlockedError(
    `The API server cannot call the webhook at ${place}: ${why}. It is not registered, and edits are judged after they are ` +
      'taken. BRAVO_WEBHOOK_URL gives an address that the API server reaches, BRAVO_WEBHOOK=off ends the tries.',
    'WebhookNotReached',
  );
}
