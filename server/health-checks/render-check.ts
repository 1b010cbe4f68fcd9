import { checkTemplates, mapCheckTexts } from '@/lib/kudo/health-checks/texts';
import type { HealthCheck } from '@/lib/kudo/health-checks/types';
import { parseGoBoolean } from '@/lib/kudo/parameters/go-scalars';
import { secretParameters } from '@/lib/kudo/parameters/parameters';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { TextRenderer } from '@/server/tasks/render-texts';

/** A check with its templates rendered; `isEnabled` says whether it runs. */
export interface RenderedCheck {
  readonly check: HealthCheck;
  readonly isEnabled: boolean;
}

/**
 * Renders the texts of a check with the present parameters of the Instance. Secret parameters are left out: a command is part of the
 * address of a request, and is seen among the processes of the container.
 *
 * @throws RenderError for a text that cannot be rendered
 */
export async function renderCheck(
  renderTexts: TextRenderer,
  check: HealthCheck,
  instance: Instance,
  operatorVersion: OperatorVersion,
): Promise<RenderedCheck> {
  const templates = [...checkTemplates(check)].map(([name, text]) => ({ name, text }));
  if (templates.length === 0) return enabledOf(check);
  const parameters = { ...unwrapParameters(operatorVersion, instance.spec?.parameters) };
  for (const name of secretParameters(operatorVersion)) delete parameters[name];
  const values = { ...baseVariables(instance, operatorVersion, parameters) };
  const results = await renderTexts({ templates, values, randomness: { from: 'none' }, nowMs: 0 });
  const texts = new Map<string, string>();
  templates.forEach(({ name }, index) => {
    const result = results[index];
    if (result === undefined || 'error' in result) {
      throw new RenderError(`${name} cannot be rendered: ${result?.error.message ?? 'nothing came back'}`);
    }
    texts.set(name, result.text);
  });
  return enabledOf(mapCheckTexts(check, (place, text) => texts.get(place) ?? text));
}

function enabledOf(check: HealthCheck): RenderedCheck {
  const text = (check.enabled ?? 'true').trim();
  const isEnabled = parseGoBoolean(text);
  if (isEnabled === undefined)
    throw new RenderError(`"enabled" is ${JSON.stringify(text.slice(0, 40))}, not true or false`);
  return { check, isEnabled };
}
