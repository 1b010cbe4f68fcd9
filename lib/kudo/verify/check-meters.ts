import { parseTemplate, TemplateError } from '@/lib/template/template';
import { isSecretParameter } from '../parameters/parameters';
import { IMPLICIT_VARIABLES } from './check-templates';
import type { Place, Report } from './report';
import { scanTemplate, type TemplateUse } from './scan-template';

const VARIABLES = new Set<string>([...IMPLICIT_VARIABLES, 'Params']);
/** A meter belongs to no plan. */
const OF_PLANS = new Set(['PlanName', 'PhaseName', 'StepName']);

/**
 * Ours: values of meters parse, and use parameters that exist and are not secret, as usage is shown to others.
 *
 * @returns the names of the parameters that are used
 */
export function checkMeters(report: Report): ReadonlySet<string> {
  const used = new Set<string>();
  (report.pkg.operator.meters ?? []).forEach(({ name, value }, index) => {
    if (!value.includes('{{')) return;
    const place = report.operatorLine('meter', index, 'value');
    const use = scan(report, place, name, value);
    if (use === undefined) return;
    for (const parameter of [...use.parameters.keys(), ...use.mentioned]) used.add(parameter);
    checkUse(report, place, name, use);
  });
  return used;
}

function scan(report: Report, place: Place, name: string, text: string): TemplateUse | undefined {
  try {
    return scanTemplate(parseTemplate(`meter ${name}`, text));
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    report.error(place, `the value of meter ${name} is not a template: ${error.goMessage}`);
    return undefined;
  }
}

function checkUse(report: Report, place: Place, name: string, use: TemplateUse): void {
  const parameters = new Map(report.pkg.parameters.map((parameter) => [parameter.name, parameter]));
  for (const parameter of use.parameters.keys()) {
    const found = parameters.get(parameter);
    if (found === undefined) report.error(place, `parameter "${parameter}" in meter ${name} is not defined`);
    else if (found.secret === true || isSecretParameter(parameter)) {
      report.error(place, `meter ${name} uses the secret parameter "${parameter}"`);
    }
  }
  for (const variable of use.implicits.keys()) {
    if (VARIABLES.has(variable) && !OF_PLANS.has(variable)) continue;
    report.error(place, `meter ${name} uses the variable "${variable}", which meters do not have`);
  }
}
