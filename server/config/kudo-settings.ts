import { TerminalError } from '@/lib/errors/errors';

/** Go's `time.ParseDuration`: a sign, then numbers with units; `0` needs none. */
const GO_DURATION = /^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*)$/;

/**
 * Looks at the settings of KUDO's manager that a manifest may still hold. `KUDO_SYNCPERIOD` was how often everything is looked
 * at without a reason; a plan that waits has its own requeue here, so the value changes nothing. One that is no duration
 * ended the manager, and does so here: the person who set it expects an effect.
 *
 * @throws TerminalError for a `KUDO_SYNCPERIOD` that Go cannot read
 */
export function checkKudoSettings(environment: { readonly [name: string]: string | undefined }): void {
  const text = environment.KUDO_SYNCPERIOD ?? '';
  if (text === '' || GO_DURATION.test(text)) return;
  throw new TerminalError(
    `KUDO_SYNCPERIOD: "${text}" is not a duration; write for example 10h, or remove the setting: it has no effect here.`,
    'InvalidSettings',
  );
}
