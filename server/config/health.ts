import { TerminalError } from '@/lib/errors/errors';

type Environment = { readonly [name: string]: string | undefined };

/**
 * The port of the controller's `/healthz` and `/readyz` over HTTP, for the probes of a pod (`BRAVO_HEALTH_PORT`); undefined when they are not
 * served. 0 takes any free port.
 *
 * @throws TerminalError with one sentence
 */
export function readHealthPort(environment: Environment): number | undefined {
  const text = environment.BRAVO_HEALTH_PORT || undefined;
  if (text === undefined || text === 'off') return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new TerminalError(
    `BRAVO_HEALTH_PORT: "${text}" is not a port; give a number from 0 to 65535, or off.`,
    'InvalidSettings',
  );
}
