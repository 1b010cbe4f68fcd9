import { stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { Api, Target } from '@/server/kube/api';
import type { CertificateSet } from './certificates';

/** Where the certificates are kept between two looks at them. */
export interface CertificateStore {
  load(): Promise<CertificateSet | undefined>;
  /**
   * Keeps the set that follows the one that was loaded last.
   * @throws ConflictError when another replica was faster: load again
   */
  save(set: CertificateSet): Promise<void>;
}

/** For a webhook of one process: its certificates end with it. */
export function memoryStore(): CertificateStore {
  let kept: CertificateSet | undefined;
  return {
    load: () => Promise.resolve(kept),
    save: (set) => {
      kept = set;
      return Promise.resolve();
    },
  };
}

export const WEBHOOK_SECRET = 'bravo-webhook-certificate';

/** A Secret of type `kubernetes.io/tls` that all replicas share; written guarded by its resourceVersion. */
export function secretStore(api: Api, namespace: string): CertificateStore {
  const target: Target = { group: '', version: 'v1', resource: 'secrets', namespace, name: WEBHOOK_SECRET };
  let live: KubeObject | undefined;
  return {
    async load() {
      live = await api.get(target);
      return live === undefined ? undefined : setOf(live);
    },
    async save(set) {
      const secret: KubeObject = {
        ...(live ?? { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls' }),
        metadata: live?.metadata ?? { name: WEBHOOK_SECRET, namespace },
        data: {
          'ca.crt': encode(set.caBundlePem),
          'ca.key': encode(set.caKeyPem),
          'tls.crt': encode(set.certificatePem),
          'tls.key': encode(set.keyPem),
        },
      };
      live = live === undefined ? await api.create(target, secret) : await api.update(target, secret);
    },
  };
}

/** Missing parts are empty texts; who uses the set sees that they are no certificates. */
function setOf(secret: KubeObject): CertificateSet {
  const part = (name: string) => Buffer.from(stringAt(secret, 'data', name) ?? '', 'base64').toString('utf8');
  return {
    caBundlePem: part('ca.crt'),
    caKeyPem: part('ca.key'),
    certificatePem: part('tls.crt'),
    keyPem: part('tls.key'),
  };
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
