import { TerminalError } from '@/lib/errors/errors';

/** Endpoints and ingresses hear within this time that a pod is not ready any more. */
const IN_CLUSTER_S = 5;
const MOST_S = 300;

/**
 * `BRAVO_DRAIN_SECONDS`: how long the console answers after SIGTERM while it reports that it is not ready, so that whatever balances
 * the load sends nothing new. 5 in a pod, 0 elsewhere. Returns milliseconds.
 *
 * @throws TerminalError with one sentence
 */
export function readDrainMs(environment: { readonly [name: string]: string | undefined }): number {
  const text = environment.BRAVO_DRAIN_SECONDS ?? '';
  if (text === '') return environment.KUBERNETES_SERVICE_HOST === undefined ? 0 : IN_CLUSTER_S * 1_000;
  if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_S) return Number(text) * 1_000;
  throw new TerminalError(
    `BRAVO_DRAIN_SECONDS: "${text}" is not a time; give whole seconds from 0 to ${MOST_S}.`,
    'InvalidSettings',
  );
}
