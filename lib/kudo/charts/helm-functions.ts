import { limits } from '@/lib/limits/limits';
import { compileTrees } from '@/lib/template/exec/compile';
import { type CompiledTemplate, Rendering } from '@/lib/template/exec/run';
import { fn, type GoFunctionTable, variadic } from '@/lib/template/functions/define';
import { functionTable } from '@/lib/template/functions/table';
import { parseTrees } from '@/lib/template/parse/parser';
import { GoError } from '@/lib/template/template-error';
import { toBytes, toLooseText } from '@/lib/template/value/bytes';
import { valueFromJson } from '@/lib/template/value/from-json';
import { ANY_SLICE } from '@/lib/template/value/types';
import { GoSlice, type Value } from '@/lib/template/value/value';
import { encodeYaml } from '@/lib/template/yaml/encode';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import type { Chart } from './read-chart';

/** API versions that a chart may ask for: those of Kubernetes 1.36. */
export const SERVED_VERSIONS: readonly string[] = [
  'v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'storage.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'certificates.k8s.io/v1',
  'node.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
];

/** True for `networking.k8s.io/v1` and `networking.k8s.io/v1/Ingress`. */
export function isServed(version: string): boolean {
  return SERVED_VERSIONS.some(
    (each) => version === each || (version.startsWith(`${each}/`) && /\/[A-Z]\w*$/.test(version)),
  );
}

/** What the functions of one chart share. */
export interface HelmEnvironment {
  /** Every template and definition of the chart. */
  compiled: ReadonlyMap<string, CompiledTemplate>;
  readonly charts: ReadonlyMap<string, Chart>;
  /** Calls of `tpl` so far in this rendering; the evaluator sets it back. */
  tplCalls: number;
}

/** Sprig, and what Helm adds (helm pkg/engine/funcs.go). `hasApiVersion` and `chartFile` stand for methods; see helm-trees. */
export function helmFunctions(environment: HelmEnvironment): GoFunctionTable {
  const base = functionTable('sprig3');
  const functions: GoFunctionTable = {
    ...base,
    ...pathFunctions(base),
    include: fn(['string', 'any'], (context, name, data) => include(context as Rendering, name, data)),
    tpl: fn(['string', 'any'], (context, text, data) =>
      tpl(context as Rendering, { text, data }, functions, environment),
    ),
    // A value that has to be given is empty here, and a parameter that has to be given in the package.
    required: fn(['string', 'any'], (_context, _message, value) => value ?? ''),
    toYaml: fn(['any'], (context, value) => encodeYaml(value, context.budget).replace(/\n$/, '')),
    fromYaml: fn(['string'], (_context, text) => fromYaml(text)),
    fromYamlArray: fn(['string'], (_context, text) => fromYaml(text)),
    fromJsonArray: fn(['string'], (_context, text) => fromYaml(text)),
    lookup: fn(['string', 'string', 'string', 'string'], () => valueFromJson({})),
    hasApiVersion: fn(['string'], (_context, version) => isServed(toLooseText(version))),
    chartFile: fn(['string', 'string'], (_context, folder, path) =>
      toBytes(environment.charts.get(toLooseText(folder))?.files.get(toLooseText(path)) ?? ''),
    ),
    toToml: variadic([], 'any', () => {
      throw new GoError('toToml is not supported');
    }),
  };
  return functions;
}

function pathFunctions(base: GoFunctionTable): GoFunctionTable {
  const named = [
    ['base', 'osBase'],
    ['dir', 'osDir'],
    ['clean', 'osClean'],
    ['ext', 'osExt'],
    ['isAbs', 'osIsAbs'],
  ] as const;
  return Object.fromEntries(
    named.flatMap(([name, from]) => {
      const known = base[from];
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

function include(run: Rendering, name: string, data: Value): string {
  const before = run.out;
  run.out = '';
  run.call(name, data);
  const text = run.out;
  run.out = before;
  return text;
}

/** Renders a text as a template that sees the definitions of the chart. */
function tpl(
  run: Rendering,
  { text, data }: { readonly text: string; readonly data: Value },
  functions: GoFunctionTable,
  environment: HelmEnvironment,
): string {
  if (++environment.tplCalls > limits.chartTplCalls) {
    throw new GoError(`more than ${limits.chartTplCalls} calls of tpl`);
  }
  if (!text.includes('{{')) return text;
  const trees = parseTrees(text, {
    fileName: 'gotpl',
    trees: new Map(),
    hasFunction: (name) => Object.hasOwn(functions, name),
    whyAbsent: () => undefined,
  });
  const templates = new Map([...environment.compiled, ...compileTrees(trees, functions)]);
  const main = templates.get('gotpl');
  if (main === undefined) return '';
  const file = { name: 'gotpl', text, templates };
  const inner = new Rendering(file, main, {
    environment: run.environment,
    missingKey: 'zero',
    budget: { steps: limits.chartTplSteps },
  });
  inner.variables = new Array<Value>(main.slots);
  inner.variables[0] = data;
  main.execute(inner, data);
  run.budget.step(inner.budget.steps);
  return inner.out.replaceAll('<no value>', '');
}

function fromYaml(text: string): Value {
  const read = readYamlAsKubernetes(toLooseText(text));
  if (!read.ok) return valueFromJson({ Error: read.problems[0]?.message ?? '' });
  return read.value === null ? new GoSlice(ANY_SLICE, [], true) : valueFromJson(read.value);
}
