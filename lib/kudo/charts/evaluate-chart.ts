import { getAt, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { budgetMessage } from '@/lib/template/exec/call';
import { compileTrees } from '@/lib/template/exec/compile';
import { type CompiledTemplate, Rendering } from '@/lib/template/exec/run';
import { BudgetError, TemplateError } from '@/lib/template/template-error';
import { toBytes, toLooseText } from '@/lib/template/value/bytes';
import { valueFromJson } from '@/lib/template/value/from-json';
import type { Value } from '@/lib/template/value/value';
import type { PackageProblem } from '../package/types';
import { type HelmEnvironment, helmFunctions, SERVED_VERSIONS } from './helm-functions';
import { type HelmTrees, parseChart } from './helm-trees';
import { type Chart, coalescedValues } from './read-chart';

/** Name and namespace that a chart is rendered for. */
export interface ChartRelease {
  readonly name: string;
  readonly namespace: string;
}

/** The names under which a chart is rendered to be compared: nothing of a chart looks like them. */
export const RELEASE: ChartRelease = { name: 'bravorelease', namespace: 'bravonamespace' };

/** The version of Kubernetes that charts see. */
export const KUBE_VERSION = { Version: 'v1.36.0', GitVersion: 'v1.36.0', Major: '1', Minor: '36' };

/** A chart that has been parsed. It renders as `helm template` does: Sprig, Helm's functions, missing keys give nothing. */
export class ChartEvaluator {
  readonly trees: HelmTrees['trees'];
  readonly problems: readonly PackageProblem[];
  private readonly environment: HelmEnvironment;
  private readonly compiled: ReadonlyMap<string, CompiledTemplate>;

  constructor(readonly chart: Chart) {
    const environment: HelmEnvironment = { charts: chartsByFolder(chart), compiled: new Map(), tplCalls: 0 };
    const functions = helmFunctions(environment);
    const parsed = parseChart(chart, new Set(Object.keys(functions)));
    this.trees = parsed.trees;
    this.problems = parsed.problems;
    const trees = new Map([...parsed.trees].map(([name, { tree }]) => [name, tree]));
    this.compiled = compileTrees(trees, functions);
    environment.compiled = this.compiled;
    this.environment = environment;
  }

  /**
   * The texts of the files that give objects, by path, without partials and notes. Charts whose condition is false are left out.
   *
   * @param overrides of the values
   * @throws TemplateError
   */
  render(overrides: JsonObject, release: ChartRelease): Map<string, string> {
    const texts = new Map<string, string>();
    const visit = (chart: Chart, values: JsonObject): void => {
      if (!chart.isLibrary) {
        for (const file of chart.templates.keys()) {
          if (isManifest(file)) texts.set(file, this.renderFile(file, rootFor(chart, values, release)));
        }
      }
      for (const [name, subchart] of chart.subcharts) {
        if (isEnabled(chart, name, values)) visit(subchart, objectAt(values, name));
      }
    };
    visit(this.chart, coalescedValues(this.chart, overrides));
    return texts;
  }

  /** By folder. */
  get charts(): ReadonlyMap<string, Chart> {
    return this.environment.charts;
  }

  /** The notes of the chart with its default values; empty when they cannot be rendered. */
  renderNotes(file: string, release: ChartRelease): string {
    try {
      return this.renderFile(file, rootFor(this.chart, coalescedValues(this.chart), release));
    } catch (error) {
      if (error instanceof TemplateError) return '';
      throw error;
    }
  }

  /** The text of one file or definition. @throws TemplateError */
  renderFile(name: string, root: JsonObject): string {
    const template = this.compiled.get(name);
    const source = this.trees.get(name);
    if (template === undefined || source === undefined) return '';
    this.environment.tplCalls = 0;
    const file = { name: toBytes(name), text: source.text, templates: this.compiled };
    const run = new Rendering(file, template, {
      environment: ENVIRONMENT,
      missingKey: 'zero',
      budget: { steps: limits.chartSteps },
    });
    const dot: Value = valueFromJson({
      ...root,
      Template: { Name: file.name, BasePath: `${source.chart.folder}templates` },
    });
    run.variables = [dot];
    try {
      template.execute(run, dot);
    } catch (error) {
      if (error instanceof BudgetError || error instanceof RangeError) throw run.fail(budgetMessage(error), 'budget');
      throw error;
    }
    return toLooseText(run.out).replaceAll('<no value>', '');
  }
}

const ENVIRONMENT = {
  clock: { now: () => 1_600_000_000_000 },
  random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'chart'),
  hasDraftKeys: true,
};

/** Files that give objects; `_helpers.tpl` and NOTES.txt do not. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.ya?ml$/.test(name) && !name.startsWith('_');
}

/** The root of a chart's templates. */
export function rootFor(chart: Chart, values: JsonObject, release: ChartRelease): JsonObject {
  return {
    Values: values,
    Chart: chartFields(chart),
    Release: { ...RELEASE_FIELDS, Name: release.name, Namespace: release.namespace },
    Capabilities: { KubeVersion: KUBE_VERSION, APIVersions: [...SERVED_VERSIONS] },
    Files: {},
    Subcharts: {},
  };
}

/** What templates see of a release besides its name: a first install. */
export const RELEASE_FIELDS = { Service: 'Helm', IsInstall: true, IsUpgrade: false, Revision: 1 };

/** Chart.yaml with the names of Helm's struct. */
export function chartFields({ metadata }: Chart): JsonObject {
  const fields = Object.entries(metadata).map(([key, value]) => [key.charAt(0).toUpperCase() + key.slice(1), value]);
  return {
    ...Object.fromEntries(fields),
    Version: stringAt(metadata, 'version') ?? '',
    AppVersion: appVersionOf(metadata),
  };
}

/** An unquoted version is a number in YAML. */
export function appVersionOf(metadata: JsonObject): string {
  const { appVersion } = metadata;
  return appVersion === undefined || appVersion === null ? '' : String(appVersion);
}

/** A subchart with a condition is used when the first path of it that exists is true. */
export function isEnabled(chart: Chart, name: string, values: JsonObject): boolean {
  const dependency = chart.dependencies.find((each) => (each.alias ?? each.name) === name);
  for (const path of dependency?.condition?.split(',') ?? []) {
    const value = getAt(values, ...path.trim().split('.'));
    if (typeof value === 'boolean') return value;
  }
  return true;
}

function chartsByFolder(chart: Chart): Map<string, Chart> {
  const found = new Map([[chart.folder, chart]]);
  for (const subchart of chart.subcharts.values()) {
    for (const [folder, each] of chartsByFolder(subchart)) found.set(folder, each);
  }
  return found;
}
