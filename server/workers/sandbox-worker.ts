import { systemClock } from '@/lib/clock/clock';
import { systemRandom } from '@/lib/random/random';
import { type SandboxOptions, startSandbox } from '@/server/sandbox/sandbox';
import { servePart } from './serve-part';

/** The settings of the sandbox beside the console. */
export interface SandboxSettings {
  readonly port: number;
  readonly dataDir: string;
  readonly kubeconfigPath: string;
  readonly podDelayMs: number;
  /** Users to try sign-in with. */
  readonly sampleUsers: boolean;
  /** Accepts the ID tokens that people sign in to the console with. */
  readonly oidc: SandboxOptions['oidc'];
}

await servePart<SandboxSettings>(async (settings) => {
  const sandbox = await startSandbox({ ...settings, mode: 'full', clock: systemClock, random: systemRandom });
  return { facts: { url: sandbox.url }, stop: () => sandbox.stop() };
});
