import { type Clock, sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf, TerminalError } from '@/lib/errors/errors';
import { objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { RunSignature } from '@/lib/kudo/runs/plan-run';
import type { Random } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';
import type { Log } from '@/server/log/log';
import { publishedData, type RunSigner, runSigner, signingKeysTarget } from '@/server/runs/run-signature';

/** The Secret with the key that signs runs, in the namespace of the lease; all controllers of a cluster share it. */
export const SIGNING_SECRET = 'bravo-signing-key';
const KEY = 'key';
const KEY_BYTES = 32;
const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;
const PUBLISH_ATTEMPTS = 3;

export interface SigningKeyOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
}

/**
 * The Ed25519 key with which a controller signs runs that are over: it is read, or made by the first controller that needs it, and its public key is published. It
 * signs nothing before its public key is published, so that every signature can be checked.
 *
 * - *unread*: from the beginning. Left when Secret and ConfigMap are as they have to be (*ready*), or when the API refuses one of them
 *   or the Secret holds no key (*without*).
 * - *ready*: to the end; a key that is deleted meanwhile goes on until the next start.
 * - *without*: runs are not signed; tried again at most a minute later.
 */
export class SigningKey {
  private signer: RunSigner | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: SigningKeyOptions) {}

  /** Undefined while there is no key: the run is then not signed. */
  sign(text: string): RunSignature | undefined {
    return this.signer?.sign(text);
  }

  /** Resolves when the key is ready, when the API refuses it, and after {@link stop}: a controller may lead without it. */
  load(): Promise<void> {
    return new Promise((resolve, reject) => this.tryUntilReady(resolve).then(resolve, reject));
  }

  stop(): void {
    this.stopping.abort();
  }

  private async tryUntilReady(mayLead: () => void): Promise<void> {
    const { clock, random, log } = this.options;
    const { signal } = this.stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const signer = await readOrCreate(this.options);
        await publish(this.options, signer);
        this.signer = signer;
        return;
      } catch (error) {
        failures += 1;
        log.warn('signing-key.unavailable', { secret: SIGNING_SECRET, problem: messageOf(error) });
        if (error instanceof TerminalError) mayLead();
        await sleep(clock, backoffMs(failures, RETRY, random), signal).catch(() => undefined);
      }
    }
  }
}

async function readOrCreate({ api, namespace, random }: SigningKeyOptions): Promise<RunSigner> {
  const target: Target = { group: '', version: 'v1', resource: 'secrets', namespace, name: SIGNING_SECRET };
  const found = await api.get(target);
  if (found !== undefined) return signerOf(found, namespace);
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SIGNING_SECRET, namespace },
    type: 'Opaque',
    data: { [KEY]: Buffer.from(random.bytes(KEY_BYTES)).toString('base64') },
  };
  try {
    return signerOf(await api.create(target, secret), namespace);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const made = await api.get(target);
    if (made === undefined) throw error;
    return signerOf(made, namespace);
  }
}

function signerOf(secret: KubeObject, namespace: string): RunSigner {
  const bytes = Buffer.from(stringAt(secret, 'data', KEY) ?? '', 'base64');
  if (bytes.length === KEY_BYTES) return runSigner(bytes);
  throw new TerminalError(
    `Secret ${namespace}/${SIGNING_SECRET} holds no key of ${KEY_BYTES} bytes under "${KEY}". Delete it: the controller makes a new one.`,
    'InvalidSigningKey',
  );
}

/** Adds the public key to those that are published; older ones stay, so that what they signed can be checked. */
async function publish({ api, namespace }: SigningKeyOptions, signer: RunSigner): Promise<void> {
  const target = signingKeysTarget(namespace);
  const data = publishedData(signer);
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await api.get(target);
      if (found === undefined) {
        const metadata = { name: target.name, namespace };
        await api.create(target, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
      } else if (!hasAll(found, data)) {
        const { resourceVersion = '' } = found.metadata;
        await api.patch(target, 'merge', { metadata: { resourceVersion }, data });
      }
      return;
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt >= PUBLISH_ATTEMPTS) throw error;
    }
  }
}

function hasAll(configMap: KubeObject, data: { readonly [name: string]: string }): boolean {
  const known = objectAt(configMap, 'data');
  return Object.entries(data).every(([name, text]) => known[name] === text);
}
