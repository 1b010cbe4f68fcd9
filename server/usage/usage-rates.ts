import { secretParameters } from '@/lib/kudo/parameters/parameters';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Rates } from '@/lib/kudo/usage/ledger';
import { INSTANCES_METER, INSTANCES_UNIT, metersOf, meterValue } from '@/lib/kudo/usage/meter';
import type { TextRenderer } from '@/server/tasks/render-texts';

/** What an Instance counts for now. */
export interface RatesOfInstance {
  readonly rates: Rates;
  /** Meters without a value, with the reason; they count nothing. */
  readonly problems: readonly string[];
}

/** The rates of an Instance with its present parameters; secret ones are left out. */
export async function ratesOf(
  renderTexts: TextRenderer,
  instance: Instance,
  version: OperatorVersion | undefined,
): Promise<RatesOfInstance> {
  const rates: { [meter: string]: Rates[string] } = { [INSTANCES_METER]: { unit: INSTANCES_UNIT, value: 1 } };
  const problems: string[] = [];
  const meters = metersOf(version);
  if (version === undefined || meters.length === 0) return { rates, problems };
  const parameters = { ...unwrapParameters(version, instance.spec?.parameters) };
  for (const name of secretParameters(version)) delete parameters[name];
  const templates = meters.map(({ name, value }) => ({ name, text: value }));
  const values = { ...baseVariables(instance, version, parameters) };
  const results = await renderTexts({ templates, values, randomness: { from: 'none' }, nowMs: 0 });
  meters.forEach(({ name, unit }, index) => {
    const result = results[index];
    const text = result === undefined || 'error' in result ? undefined : result.text;
    const value = text === undefined ? undefined : meterValue(text);
    if (value !== undefined) rates[name] = { unit, value };
    else if (text === undefined) problems.push(`meter ${name} cannot be rendered`);
    else problems.push(`meter ${name} gave ${JSON.stringify(text.slice(0, 40))}, which is no number from 0 to 1000000`);
  });
  return { rates, problems };
}
