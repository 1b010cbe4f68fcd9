import { ConflictError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { FINGERPRINT_SECRET } from '@/server/controller/fingerprint-key';
import { SIGNING_SECRET } from '@/server/controller/signing-key';
import { SIGNING_KEYS_CONFIG_MAP } from '@/server/runs/run-signature';
import type { ClusterSession } from '../support/session';

/** Where controllers kept their lease and keys before they had a namespace of their own. */
const FORMER_NAMESPACE = 'default';

const KEYS = [
  ['secrets', FINGERPRINT_SECRET],
  ['secrets', SIGNING_SECRET],
  ['configmaps', SIGNING_KEYS_CONFIG_MAP],
] as const;

/**
 * Copies the controllers' keys from the namespace `default` to that of the installation, unless it has some: with new ones, a
 * controller would not notice a secret parameter that changed meanwhile, and nobody could check older snapshots. The originals stay,
 * for a return to the older version.
 *
 * @returns `Secret bravo-signing-key` of each that was copied
 */
export async function copyKeys({ api }: ClusterSession, namespace: string): Promise<string[]> {
  if (namespace === FORMER_NAMESPACE) return [];
  const copied: string[] = [];
  for (const [resource, name] of KEYS) {
    const place = { group: '', version: 'v1', resource };
    const former = await api.get({ ...place, namespace: FORMER_NAMESPACE, name });
    if (former === undefined || (await api.get({ ...place, namespace, name })) !== undefined) continue;
    const { labels, annotations } = former.metadata;
    const metadata = {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const copy: KubeObject = { ...former, metadata };
    await api.create({ ...place, namespace }, copy).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
    });
    copied.push(`${former.kind} ${name}`);
  }
  return copied;
}
