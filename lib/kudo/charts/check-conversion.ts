import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { TemplateError } from '@/lib/template/template';
import type { ChartParameter, ChartValues } from './chart-values';
import {
  changedValues,
  overrideAt,
  packageVariables,
  renderedObjects,
  renderPackageTemplate,
} from './conversion-check';
import type { ConvertedFile } from './convert-files';
import type { ChartEvaluator } from './evaluate-chart';
import { RELEASE } from './evaluate-chart';

/** Something in which chart and package differ: a file with the default values, or a value that is another one. */
export interface ConversionDifference {
  readonly file: string;
  /** Of the value; undefined: the default values. */
  readonly path: readonly string[] | undefined;
  readonly why: string;
}

export interface CheckedConversion {
  readonly evaluator: ChartEvaluator;
  readonly values: ChartValues;
  readonly files: readonly ConvertedFile[];
  /** What the chart gives with the default values, by file. */
  readonly defaults: ReadonlyMap<string, string>;
  readonly about: { readonly operator: string; readonly version: string; readonly appVersion: string };
}

/**
 * Renders chart and package with the default values and with other values of each parameter, and compares the objects of each file.
 * Values that the chart itself refuses are not compared.
 */
export function checkConversion(checked: CheckedConversion): ConversionDifference[] {
  const parameters = checked.values.parameters();
  const ofFiles = differences(checked, parameters, {}, new Map()) ?? [];
  if (ofFiles.length > 0) return ofFiles.map((file) => ({ file, path: undefined, why: DIFFERENT }));
  return parameters.flatMap((parameter) => {
    for (const value of changedValues(parameter)) {
      const overrides = overrideAt(parameter.path, replacing(parameter.value, value));
      const [file] = differences(checked, parameters, overrides, new Map([[parameter.name, value]])) ?? [];
      if (file !== undefined)
        return [{ file, path: parameter.path, why: `${DIFFERENT} with ${JSON.stringify(value)}` }];
    }
    return [];
  });
}

/** Helm merges maps; a parameter replaces them. The keys of the default are removed, so that both have the same value. */
function replacing(before: JsonValue, value: JsonValue): JsonValue {
  if (!isJsonObject(before) || !isJsonObject(value)) return value;
  return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...value };
}

const DIFFERENT = 'the converted template gives other objects than the chart';

/** The files that differ; undefined when the chart refuses the values. */
function differences(
  { evaluator, files, about, defaults }: CheckedConversion,
  parameters: readonly ChartParameter[],
  overrides: JsonObject,
  changed: ReadonlyMap<string, JsonValue>,
): string[] | undefined {
  let texts: ReadonlyMap<string, string>;
  try {
    texts = evaluator.render(overrides, RELEASE);
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
  const variables = packageVariables(parameters, RELEASE, about, changed);
  const [name] = changed.keys();
  return files
    .filter(({ isRendered, text, file }) => {
      if (isRendered || !evaluator.trees.has(file)) return false;
      // What does not depend on the value was compared with the default values.
      const isSame = name !== undefined && texts.get(file) === defaults?.get(file) && !text.includes(`.Params.${name}`);
      if (isSame) return false;
      const wanted = renderedObjects(() => texts.get(file) ?? '');
      if ('error' in wanted) return false;
      const got = renderedObjects(() => renderPackageTemplate(file, text, variables));
      return 'error' in got || got.objects !== wanted.objects;
    })
    .map(({ file }) => file);
}
