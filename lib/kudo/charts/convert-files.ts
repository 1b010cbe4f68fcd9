import { TemplateError } from '@/lib/template/template';
import type { ConversionNote } from '../manifests/manifests-to-package';
import type { ParameterEntry } from '../manifests/parameter-list';
import { problemAt } from '../package/types';
import type { ChartValues } from './chart-values';
import { convertTemplate } from './convert-template';
import { type ChartEvaluator, isManifest } from './evaluate-chart';
import { type FileRole, roleOf } from './hooks';
import { Unconvertible } from './meaning';
import type { Chart } from './read-chart';
import { renderedTemplate } from './rendered-template';

/** A file of the chart as a template of the package. */
export interface ConvertedFile {
  /** In the chart. */
  readonly file: string;
  /** The template in the package. */
  readonly key: string;
  readonly text: string;
  readonly role: FileRole;
  /** It was rendered with the default values instead of converted. */
  readonly isRendered: boolean;
  /** Parameters of a rendered file. */
  readonly parameters: readonly ParameterEntry[];
}

export interface ConversionState {
  readonly evaluator: ChartEvaluator;
  readonly values: ChartValues;
  /** What each file gives with the default values. */
  readonly rendered: ReadonlyMap<string, string>;
  /** Files that are not converted but rendered. */
  readonly asRendered: Set<string>;
  readonly notes: ConversionNote[];
}

/** Maps that are used as a whole are found while files are converted; then all are converted again. */
const MAX_PASSES = 8;

/** Converts all files of the chart and of its subcharts, and the definitions of crds/. */
export function convertFiles(state: ConversionState): ConvertedFile[] {
  const { values } = state;
  let files: ConvertedFile[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    values.settle();
    const before = state.asRendered.size;
    files = convertChart(state, { chart: values.chart, prefix: [], condition: '' });
    if (!values.hasNewWholes && state.asRendered.size === before) break;
  }
  return files;
}

interface Place {
  readonly chart: Chart;
  readonly prefix: readonly string[];
  /** TemplateCode that is true when the subchart is used; empty: always. */
  readonly condition: string;
}

function convertChart(state: ConversionState, place: Place): ConvertedFile[] {
  const { chart, prefix } = place;
  const files: ConvertedFile[] = [];
  const start = prefix.length === 0 ? '' : `${prefix.join('/')}/`;
  for (const [path, text] of chart.crds) {
    if (!/\.ya?ml$/.test(path)) continue;
    const key = `${start}crds/${asKey(path.slice(`${chart.folder}crds/`.length))}`;
    const converted = { file: path, key, text: wrapped(escaped(text), place.condition), role: roleOf(text, text) };
    files.push({ ...converted, isRendered: false, parameters: [] });
  }
  if (!chart.isLibrary) {
    for (const path of chart.templates.keys()) {
      if (!isManifest(path)) continue;
      const key = `${start}${asKey(path.slice(`${chart.folder}templates/`.length))}`;
      files.push(convertFile(state, place, path, key));
    }
  }
  for (const [name, subchart] of chart.subcharts) {
    const below = [...prefix, name];
    files.push(...convertChart(state, { chart: subchart, prefix: below, condition: conditionOf(state, place, name) }));
  }
  return files;
}

function convertFile(state: ConversionState, place: Place, path: string, key: string): ConvertedFile {
  const { evaluator, values, rendered, notes } = state;
  const text = rendered.get(path) ?? '';
  const role = roleOf(text, place.chart.templates.get(path) ?? '');
  const note = (message: string, file: string, line: number) =>
    notes.push({ ...problemAt(file, line, message), level: 'check' });
  if (!state.asRendered.has(path)) {
    try {
      const charts = evaluator.charts;
      const source = convertTemplate(path, { trees: evaluator.trees, charts, values, prefix: place.prefix, note });
      return { file: path, key, text: wrapped(source, place.condition), role, isRendered: false, parameters: [] };
    } catch (error) {
      if (!(error instanceof Unconvertible) && !(error instanceof TemplateError)) throw error;
      const isPlaced = error instanceof Unconvertible && error.file !== '';
      note(
        `${path} was rendered with the default values: ${error.message}.`,
        isPlaced ? error.file : path,
        isPlaced ? error.line : 0,
      );
      // Parameters that only this file uses are none.
      state.asRendered.add(path);
    }
  }
  const made = renderedTemplate(path, text, note);
  return {
    file: path,
    key,
    text: wrapped(made.text, place.condition),
    role,
    isRendered: true,
    parameters: made.parameters,
  };
}

/** `redis.enabled` of the parent as code. */
function conditionOf({ values }: ConversionState, place: Place, name: string): string {
  const dependency = place.chart.dependencies.find((each) => (each.alias ?? each.name) === name);
  const conditions = place.condition === '' ? [] : [place.condition];
  for (const path of dependency?.condition?.split(',') ?? []) {
    const found = values.placeOf([...place.prefix, ...path.trim().split('.')]);
    if (found.kind !== 'parameter' || found.parameter.type !== 'boolean' || found.below.length > 0) continue;
    values.markUsed(found.parameter);
    conditions.push(`(eq .Params.${found.parameter.name} "true")`);
    break;
  }
  return conditions.length > 1 ? `(and ${conditions.join(' ')})` : (conditions[0] ?? '');
}

function wrapped(text: string, condition: string): string {
  return condition === ''
    ? text
    : `{{- if ${condition.replace(/^\((.*)\)$/s, '$1')} }}\n${text.trimEnd()}\n{{- end }}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}');
}

function asKey(path: string): string {
  return path.replace(/\.yml$/, '.yaml').replaceAll('templates/', '');
}
