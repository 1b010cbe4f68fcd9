import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { isKubeObject } from '@/lib/kube/object';
import { modernise } from '@/lib/kudo/deprecations/modernise';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import type { RenderEnvironment } from '@/lib/template/contract';
import { renderTemplate, type Template, TemplateError } from '@/lib/template/template';
import { parameterOf } from '../package/to-objects';
import { isList, LIST_ADVICE, readPiece, splitDocuments } from '../rendering/decode';
import { unwrapParameter } from '../rendering/unwrap';
import { IMPLICIT_VARIABLES, type ScannedTemplates } from './check-templates';
import { Report, templatePlace, type Verification } from './report';
import type { TemplateUse } from './scan-template';

/** Rendering for verification has a fixed time and a public key: the same package gives the same report, and nothing is applied. */
const ENVIRONMENT = {
  clock: { now: () => 1_600_000_000_000 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'verification'),
  hasDraftKeys: true,
};

/**
 * Every template renders with the defaults, and the result is YAML objects. Bravo's own check: objects in removed API versions give a
 * warning that says where they go.
 */
export function checkRendering(
  report: Report,
  scanned: ScannedTemplates,
  { data, known }: { readonly data: VerificationData | undefined; readonly known?: KnownRenderings | undefined },
): void {
  if (data === undefined) return;
  const parameterFiles = new Set(report.pkg.operator.tasks.map(({ spec }) => spec?.parameterFile ?? ''));
  const before = new Map(known);
  known?.clear();
  const inputs = known === undefined ? '' : JSON.stringify(data.variables);
  for (const [key, { template, use }] of scanned) {
    if (seesCluster(use)) continue;
    const isParameterFile = parameterFiles.has(key);
    const id = [key, isParameterFile, inputs, report.pkg.templates.get(key)].join('\n');
    const found = before.get(id) ?? checkTemplate(report, template, { data, isParameterFile });
    known?.set(id, found);
    report.errors.push(...found.errors);
    report.warnings.push(...found.warnings);
  }
}

/** What was found in templates, by all that it depends on: for who verifies again and again. Holds those of the last verification. */
export type KnownRenderings = Map<string, Verification>;

function checkTemplate(
  { pkg, rule }: Report,
  template: Template,
  { data, isParameterFile }: { data: VerificationData; isParameterFile: boolean },
): Verification {
  const own = new Report(pkg);
  own.rule = rule;
  const key = template.name;
  try {
    const text = renderForVerification(template, data);
    if (!isParameterFile) checkDocuments(own, key, text);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    own.error(templatePlace(key, error.place.line), `error rendering template: ${error.goMessage}`);
  }
  return own;
}

/** True for a template that sees objects of the cluster: nobody knows here what that holds. */
function seesCluster({ objects, references, implicits }: TemplateUse): boolean {
  return objects.size + references.size > 0 || implicits.has('Objects') || implicits.has('Refs');
}

/** What templates see when they are verified: the defaults, and names that stand for themselves. */
export interface VerificationData {
  readonly variables: { readonly [name: string]: unknown };
  readonly environment: RenderEnvironment;
}

/** Undefined, with errors in the report, when the defaults or the pipes cannot be used. */
export function verificationData(report: Report): VerificationData | undefined {
  const pipes = pipesOf(report);
  const values = parameterValues(report);
  if (pipes === undefined || values === undefined) return undefined;
  const implicits = Object.fromEntries(IMPLICIT_VARIABLES.map((name) => [name, name]));
  // Templates may compare versions, so that these have their own.
  const { appVersion = 'AppVersion', operatorVersion } = report.pkg.operator;
  const versions = { AppVersion: appVersion, OperatorVersion: operatorVersion };
  return { variables: { ...implicits, ...versions, Params: values, Pipes: pipes }, environment: ENVIRONMENT };
}

/** Renders a template with the data of the verification. @throws TemplateError */
export function renderForVerification(template: Template, { variables, environment }: VerificationData): string {
  return renderTemplate(template, variables, { environment });
}

/** Names of all pipes of all plans. A key that occurs twice is an error, and ends the check. */
function pipesOf(report: Report): { [key: string]: string } | undefined {
  const pipes = new Map<string, string>();
  for (const [index, { spec }] of report.pkg.operator.tasks.entries()) {
    for (const { key = '' } of spec?.pipe ?? []) {
      if (pipes.has(key)) {
        report.error(report.operatorLine('tasks', index), `duplicated pipe key ${key}`);
        return undefined;
      }
      pipes.set(key, key);
    }
  }
  return Object.fromEntries(pipes);
}

/** The defaults as templates see them; undefined (and an error) when one cannot be unwrapped. */
function parameterValues(report: Report): { [name: string]: unknown } | undefined {
  const values: [string, unknown][] = [];
  for (const parameter of report.pkg.parameters) {
    const stored = parameterOf(parameter);
    try {
      values.push([parameter.name, unwrapParameter(stored, stored.default)]);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      report.error(
        report.parameterLine(parameter),
        `parameter "${parameter.name}" cannot be used by templates: ${message}`,
      );
      return undefined;
    }
  }
  return Object.fromEntries(values);
}

/** Pieces are read as a plan reads them, so that no package is refused here that would run, and none is let through that cannot. */
function checkDocuments(report: Report, key: string, text: string): void {
  const refuse = (reason: string) =>
    report.error(templatePlace(key), `parsing rendered YAML from ${key} failed: decoding chunk failed: ${reason}`);
  for (const chunk of splitDocuments(text)) {
    const { result, duplicates } = readPiece(chunk);
    if (!result.ok) refuse(result.problems[0]?.message ?? '');
    else if (!isJsonObject(result.value)) refuse('it is not an object');
    else if (typeof result.value.kind !== 'string' || result.value.kind === '') refuse('it has no kind');
    else warnOfObject(report, key, result.value, duplicates);
  }
}

function warnOfObject(report: Report, key: string, value: JsonObject, duplicates: readonly { key: string }[]): void {
  for (const name of new Set(duplicates.map((each) => each.key))) {
    report.warn(templatePlace(key), `template ${key} has a duplicate key "${name}" in one map; the last value is used`);
  }
  if (typeof value.apiVersion !== 'string')
    report.warn(templatePlace(key), `template ${key} renders a ${value.kind} without apiVersion`);
  if (isList(value)) report.warn(templatePlace(key), `template ${key} ${LIST_ADVICE}`);
  warnOfMove(report, key, value);
}

function warnOfMove(report: Report, key: string, value: JsonValue): void {
  const candidate = isJsonObject(value) && value.metadata === undefined ? { ...value, metadata: {} } : value;
  if (!isKubeObject(candidate)) return;
  const { warning } = modernise(candidate);
  if (warning === undefined) return;
  const lines = (report.pkg.templates.get(key) ?? '').split('\n');
  const line = lines.findIndex((each) => each.includes(`apiVersion: ${candidate.apiVersion}`));
  report.warn(templatePlace(key, line + 1), warning);
}
