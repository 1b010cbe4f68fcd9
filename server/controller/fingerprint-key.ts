import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { type Fingerprinter, fingerprinter } from '@/lib/kudo/secrets/fingerprint';
import type { Random } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import { backoffMs } from '@/server/kube/backoff';
import { codeOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';

/** The Secret with the key of all fingerprints, in the namespace of the lease; all controllers of a cluster share it. */
export const FINGERPRINT_SECRET = 'bravo-fingerprint-key';
const KEY = 'key';
const KEY_BYTES = 32;
const RETRY = { floorMs: 1_000, ceilingMs: 60_000 } as const;

export interface FingerprintKeyOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
}

/**
 * The key of the fingerprints of a controller: read, or made when there is none, before the controller leads. It is made by
 * whoever comes first; it is never changed, so this needs no lease.
 */
export class FingerprintKey implements Fingerprinter {
  private known: Fingerprinter | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: FingerprintKeyOptions) {}

  /** @throws Error before {@link load} has resolved */
  of(text: string): string {
    return this.loaded().of(text);
  }

  /** @throws Error before {@link load} has resolved */
  signatureOf(text: string): string {
    return this.loaded().signatureOf(text);
  }

  /** @throws Error before {@link load} has resolved */
  isComparable(fingerprint: string): boolean {
    return this.loaded().isComparable(fingerprint);
  }

  /** Tries until it succeeds; rejects only after {@link stop}. */
  async load(): Promise<void> {
    const { clock, random, log } = this.options;
    for (let failures = 0; this.known === undefined; ) {
      try {
        this.known = fingerprinter(await readOrCreate(this.options));
      } catch (error) {
        failures += 1;
        log.warn('fingerprint-key.unavailable', { secret: FINGERPRINT_SECRET, problem: messageOf(error) });
        await sleep(clock, backoffMs(failures, RETRY, random), this.stopping.signal);
      }
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  private loaded(): Fingerprinter {
    if (this.known === undefined) throw new Error(`Secret ${FINGERPRINT_SECRET} has not been read yet`);
    return this.known;
  }
}

async function readOrCreate({ api, namespace, random }: FingerprintKeyOptions): Promise<Uint8Array> {
  const target: Target = { group: '', version: 'v1', resource: 'secrets', namespace, name: FINGERPRINT_SECRET };
  const found = await api.get(target);
  if (found !== undefined) return keyOf(found, namespace);
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: FINGERPRINT_SECRET, namespace },
    type: 'Opaque',
    data: { [KEY]: Buffer.from(random.bytes(KEY_BYTES)).toString('base64') },
  };
  try {
    return keyOf(await api.create(target, secret), namespace);
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    const made = await api.get(target);
    if (made === undefined) throw error;
    return keyOf(made, namespace);
  }
}

function keyOf(secret: KubeObject, namespace: string): Uint8Array {
  const bytes = Buffer.from(stringAt(secret, 'data', KEY) ?? '', 'base64');
  if (bytes.length === KEY_BYTES) return new Uint8Array(bytes);
  throw new TerminalError(
    `Secret ${namespace}/${FINGERPRINT_SECRET} holds no key of ${KEY_BYTES} bytes under "${KEY}". Delete it: the controller makes a new one.`,
    'InvalidFingerprintKey',
  );
}
