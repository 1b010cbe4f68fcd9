import { arrayAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { TemplateError } from '@/lib/template/template';
import type { ConversionNote, ConvertedPackage } from '../manifests/manifests-to-package';
import { writeParams } from '../manifests/parameter-list';
import { OPERATOR_FILE, PARAMS_FILE, type PackageProblem, problemAt } from '../package/types';
import { ChartValues } from './chart-values';
import { checkConversion } from './check-conversion';
import { type ConvertedFile, convertFiles } from './convert-files';
import { appVersionOf, ChartEvaluator, isManifest, RELEASE } from './evaluate-chart';
import type { Chart } from './read-chart';
import { writeChartOperator } from './write-chart-operator';

export type ChartConversion =
  | { readonly ok: true; readonly converted: ConvertedPackage }
  | { readonly ok: false; readonly problems: readonly PackageProblem[] };

/**
 * Turns a Helm chart into a package. Templates become templates with KUDO's variables, values become parameters, hooks become steps
 * and plans. A file that cannot be converted is rendered with the default values and gets parameters as manifests do.
 *
 * For the default values, and for one or two other values of each parameter, the package was rendered and compared with the chart: a
 * value with which they differ is fixed in the package, and reported.
 *
 * @param name of the operator; the chart's by default
 */
export function chartToPackage(chart: Chart, name = chart.name): ChartConversion {
  const evaluator = new ChartEvaluator(chart);
  if (evaluator.problems.length > 0) return { ok: false, problems: evaluator.problems };
  const rendered = tryRender(evaluator);
  if ('problem' in rendered) return { ok: false, problems: [rendered.problem] };
  const values = new ChartValues(chart);
  const notes: ConversionNote[] = [];
  const about = {
    operator: name,
    version: semverOf(stringAt(chart.metadata, 'version') ?? ''),
    appVersion: appVersionOf(chart.metadata),
  };
  const asRendered = new Set<string>();
  const convert = () => withoutNamespaces(convertFiles({ evaluator, values, rendered, asRendered, notes }), notes);
  let files = convert();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = checkConversion({ evaluator, values, files, about, defaults: rendered });
    if (found.length === 0) break;
    for (const { path, file, why } of found) {
      const at = problemAt(file, 0, '');
      if (path === undefined) asRendered.add(file);
      else values.fix(path);
      const what = path === undefined ? 'The file' : `${path.join('.')}`;
      notes.push({ ...at, level: 'check', message: `${what} is fixed: ${why}` });
    }
    files = convert();
  }
  if (values.parameters().length > limits.chartParameters) {
    const message = `The chart has more than ${limits.chartParameters} values.`;
    return { ok: false, problems: [problemAt('values.yaml', 0, message)] };
  }
  return { ok: true, converted: assemble({ chart, values, files, notes, about, evaluator }) };
}

/** A plan cannot create a Namespace: the Instance is in one already. */
function withoutNamespaces(files: readonly ConvertedFile[], notes: ConversionNote[]): ConvertedFile[] {
  return files.filter(({ file, role }) => {
    if (role.kind !== 'object' || !role.objects.some(({ kind }) => kind === 'Namespace')) return true;
    notes.push({ ...problemAt(file, 0, 'The file was left out: a plan cannot create a Namespace.'), level: 'check' });
    return false;
  });
}

/** Each round fixes what the last one found. */
const MAX_ROUNDS = 6;

function tryRender(evaluator: ChartEvaluator): ReadonlyMap<string, string> | { readonly problem: PackageProblem } {
  try {
    return evaluator.render({}, RELEASE);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const { template, line } = error.place;
    const message = `The chart cannot be rendered with its default values: ${error.message}`;
    return { problem: problemAt(template, line, message) };
  }
}

interface Assembled {
  readonly chart: Chart;
  readonly values: ChartValues;
  readonly files: readonly ConvertedFile[];
  readonly notes: ConversionNote[];
  readonly about: { readonly operator: string; readonly version: string; readonly appVersion: string };
  readonly evaluator: ChartEvaluator;
}

function assemble({ chart, values, files, notes, about, evaluator }: Assembled): ConvertedPackage {
  const result = new Map<string, string>();
  for (const { key, text } of files) result.set(`templates/${key}`, text);
  const parameters = values.entries();
  for (const entry of files.flatMap((each) => each.parameters)) parameters.add(entry);
  result.set(PARAMS_FILE, writeParams(parameters.all()));
  const operator = writeChartOperator({ chart, about, files, description: descriptionOf(chart, evaluator), notes });
  result.set(OPERATOR_FILE, operator);
  for (const path of values.absent) {
    const message = `Templates read ${path}, which values.yaml does not have: it is no parameter, and empty.`;
    notes.push({ ...problemAt('values.yaml', 0, message), level: 'check' });
  }
  noteTheRest(chart, notes);
  return { files: result, notes: unique(notes), instanceName: about.operator };
}

/** What the chart says of itself, and its notes for the person who installed it. */
function descriptionOf(chart: Chart, evaluator: ChartEvaluator): string {
  const description = stringAt(chart.metadata, 'description') ?? '';
  const file = [...chart.templates.keys()].find((path) => path.endsWith('NOTES.txt'));
  if (file === undefined) return description;
  const notes = evaluator
    .renderNotes(file, RELEASE)
    .replaceAll(RELEASE.name, 'INSTANCE')
    .replaceAll(RELEASE.namespace, 'NAMESPACE');
  return `${description}\n\n${notes.trim()}`.trim().slice(0, 2_000);
}

function noteTheRest(chart: Chart, notes: ConversionNote[]): void {
  const note = (file: string, message: string) => notes.push({ ...problemAt(file, 0, message), level: 'check' });
  for (const file of chart.templates.keys()) {
    if (!isManifest(file) && !/\.tpl$|NOTES\.txt$|\/_[^/]*$/.test(file))
      note(file, 'The file was left out: it gives no objects.');
  }
  for (const dependency of arrayAt(chart.metadata, 'dependencies')) {
    if (arrayAt(dependency, 'import-values').length === 0) continue;
    note('Chart.yaml', `The import-values of the dependency ${stringAt(dependency, 'name')} were left out.`);
  }
  for (const { name, tags } of chart.dependencies) {
    if (tags.length > 0)
      note('Chart.yaml', `The tags of the dependency ${name} were left out; its condition was converted.`);
  }
}

function unique(notes: readonly ConversionNote[]): ConversionNote[] {
  return [...new Map(notes.map((note) => [`${note.level} ${note.path} ${note.message}`, note])).values()];
}

/** Operators have semantic versions; charts have them too, perhaps with build metadata, which names of objects cannot have. */
function semverOf(version: string): string {
  const [plain = ''] = version.replace(/^v/, '').split('+');
  return /^\d+\.\d+\.\d+/.test(plain) ? plain.toLowerCase() : '0.1.0';
}
