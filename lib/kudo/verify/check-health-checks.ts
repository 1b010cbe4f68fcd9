import { parseTemplate, TemplateError } from '@/lib/template/template';
import { checkTemplates } from '../health-checks/texts';
import { isSecretParameter } from '../parameters/parameters';
import { IMPLICIT_VARIABLES } from './check-templates';
import type { Place, Report } from './report';
import { scanTemplate, type TemplateUse } from './scan-template';

const VARIABLES = new Set<string>([...IMPLICIT_VARIABLES, 'Params']);
/** A check belongs to no plan. */
const OF_PLANS = new Set(['PlanName', 'PhaseName', 'StepName']);

/**
 * Ours: templates in health checks parse, and use variables and parameters that exist and are not secret (a command is part of the
 * address of a request, and visible among the processes of the container).
 *
 * @returns the names of the parameters that are used
 */
export function checkHealthChecks(report: Report): ReadonlySet<string> {
  const used = new Set<string>();
  (report.pkg.operator.healthChecks ?? []).forEach((check, index) => {
    for (const [key, text] of checkTemplates(check)) {
      const [top = ''] = key.split(/[.[]/);
      const place = report.operatorLine('healthChecks', index, top);
      const name = `${key} of health check ${check.name}`;
      const use = tryScan(report, place, name, text);
      if (use === undefined) continue;
      for (const parameter of [...use.parameters.keys(), ...use.mentioned]) used.add(parameter);
      checkUse(report, place, name, use);
    }
  });
  return used;
}

function tryScan(report: Report, place: Place, name: string, text: string): TemplateUse | undefined {
  try {
    return scanTemplate(parseTemplate(name, text));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    report.error(place, `${name} is not a template: ${error.goMessage}`);
    return undefined;
  }
}

function checkUse(report: Report, place: Place, name: string, use: TemplateUse): void {
  const parameters = new Map(report.pkg.parameters.map((parameter) => [parameter.name, parameter]));
  for (const parameter of use.parameters.keys()) {
    const found = parameters.get(parameter);
    if (found === undefined) report.error(place, `parameter "${parameter}" in ${name} is not defined`);
    else if (found.secret === true || isSecretParameter(parameter)) {
      report.error(
        place,
        `${name} uses the secret parameter "${parameter}"; read the value inside the container instead`,
      );
    }
  }
  for (const variable of use.implicits.keys()) {
    if (VARIABLES.has(variable) && !OF_PLANS.has(variable)) continue;
    report.error(place, `${name} uses the variable "${variable}", which health checks do not have`);
  }
}
