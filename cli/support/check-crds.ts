import { TerminalError } from '@/lib/errors/errors';
import type { Api } from '@/server/kube/api';

const KINDS = ['operators', 'operatorversions', 'instances'];

/**
 * Names those of KUDO's kinds that the cluster does not serve. Only called when a verb failed, so a verb that succeeds needs neither
 * another request nor more rights.
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
    `CRDs invalid: ${problems.join('\n')}\nRun bravo init or bravo controller --install-crds to install them.`,
    'CrdsMissing',
  );
}
