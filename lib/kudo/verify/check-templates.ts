import { parseTemplate, type Template, TemplateError } from '@/lib/template/template';
import { type Report, templatePlace } from './report';
import { scanTemplate, type TemplateUse } from './scan-template';

/** Variables of a template besides `Params`. */
export const IMPLICIT_VARIABLES = [
  'OperatorName',
  'Name',
  'Namespace',
  'AppVersion',
  'OperatorVersion',
  'PlanName',
  'PhaseName',
  'StepName',
] as const;

const KNOWN = new Set<string>([...IMPLICIT_VARIABLES, 'Params', 'Pipes', 'Objects', 'Refs']);

/** The templates that can be read, with what they use. */
export type ScannedTemplates = ReadonlyMap<string, { readonly template: Template; readonly use: TemplateUse }>;

/** Reads every template; those with a syntax error are left out (and reported by {@link checkTemplateSyntax}). */
export function scanTemplates(report: Report): ScannedTemplates {
  const scanned = new Map<string, { template: Template; use: TemplateUse }>();
  for (const [key, text] of report.pkg.templates) {
    const template = tryParse(key, text);
    if (!(template instanceof TemplateError)) scanned.set(key, { template, use: scanTemplate(template) });
  }
  return scanned;
}

function tryParse(key: string, text: string): Template | TemplateError {
  try {
    return parseTemplate(key, text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/**
 * Templates and Toggle tasks use parameters that exist, and every parameter is used.
 *
 * @param usedElsewhere names of parameters that something else uses
 */
export function checkParameterUse(
  report: Report,
  scanned: ScannedTemplates,
  usedElsewhere: ReadonlySet<string> = new Set(),
): void {
  const { parameters, operator } = report.pkg;
  const defined = new Set(parameters.map((parameter) => parameter.name));
  const used = new Set(usedElsewhere);
  for (const [key, { use }] of scanned) {
    for (const [name, line] of use.parameters) {
      used.add(name);
      if (!defined.has(name))
        report.error(templatePlace(key, line), `parameter "${name}" in template ${key} is not defined`, {
          rule: 'undefined-parameter',
          subject: name,
        });
    }
    for (const name of use.mentioned) used.add(name);
    if (use.usesAllParameters) for (const name of defined) used.add(name);
  }
  operator.tasks.forEach(({ name, kind, spec }, index) => {
    const parameter = kind === 'Toggle' ? (spec?.parameter ?? '') : '';
    if (parameter === '') return;
    used.add(parameter);
    if (defined.has(parameter)) return;
    report.error(report.operatorLine('tasks', index), `parameter "${parameter}" in ToggleTask ${name} is not defined`, {
      rule: 'undefined-parameter',
      subject: parameter,
    });
  });
  for (const parameter of parameters) {
    if (used.has(parameter.name) || (parameter.trigger ?? '') !== '') continue;
    report.warn(report.parameterLine(parameter), `parameter "${parameter.name}" defined but not used.`, {
      rule: 'unused-parameter',
      subject: parameter.name,
    });
  }
}

/** Templates parse, and use only variables that exist. */
export function checkTemplateSyntax(report: Report, scanned: ScannedTemplates): void {
  for (const [key, text] of report.pkg.templates) {
    const known = scanned.get(key);
    if (known === undefined) {
      const error = tryParse(key, text);
      if (!(error instanceof TemplateError)) continue;
      report.error(
        templatePlace(key, error.place.line),
        `template file "${key}" reports the following error: ${error.goMessage}`,
      );
      continue;
    }
    for (const [name, line] of known.use.implicits) {
      if (KNOWN.has(name)) continue;
      report.error(templatePlace(key, line), `template ${key} defines an invalid implicit parameter "${name}"`);
    }
  }
}

/** Tasks use templates that exist, and every template is used. */
export function checkTemplateReferences(report: Report): void {
  const { operator, templates } = report.pkg;
  const used = new Set<string>(operator.namespaceManifest === undefined ? [] : [operator.namespaceManifest]);
  operator.tasks.forEach(({ name, spec = {} }, index) => {
    const keys = [...(spec.resources ?? []), spec.pod ?? '', spec.parameterFile ?? ''].filter((key) => key !== '');
    for (const key of keys) {
      used.add(key);
      if (templates.has(key)) continue;
      report.error(report.operatorLine('tasks', index), `template "${key}" required by ${name} but is not defined`, {
        rule: 'missing-template',
        subject: key,
      });
    }
  });
  for (const key of templates.keys()) {
    if (!used.has(key))
      report.warn(templatePlace(key), `template "${key}" is not referenced from any task`, {
        rule: 'unused-template',
        subject: key,
      });
  }
}
