import { TerminalError } from '@/lib/errors/errors';
import type { Api } from '@/server/kube/api';

const KINDS = ['operators', 'operatorversions', 'instances'];

/**
 * Says which of KUDO's kinds the cluster does not serve; asked when a verb has failed, so that a verb that works needs no
 * further request and no further rights.
 *
 * @throws TerminalError `CRDs invalid: …`
 */
export async function checkCrds(api: Api): Promise<void> {
  const { status, body } = await api.raw({ method: 'GET', path: '/apis/kudo.dev/v1beta1' });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  if (status !== 200 && status !== 404) return;
  const served = status === 404 ? '' : Buffer.concat(chunks).toString('utf8');
  const missing = KINDS.filter((kind) => !served.includes(`"name":"${kind}"`));
  if (missing.length === 0) return;
  process.stdout.write('KUDO CRDs are not served in the expected version.\n');
  const problems = missing.map((kind) => `CRD ${kind}.kudo.dev is not installed`);
  throw new TerminalError(
    `CRDs invalid: ${problems.join('\n')}\nbravo init installs them, and so does bravo controller --install-crds.`,
    'CrdsMissing',
  );
}
