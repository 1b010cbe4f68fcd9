import { arrayAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { writeYaml } from '@/lib/yaml/yaml';
import { type ConversionNote, groupOfKinds } from '../manifests/manifests-to-package';
import { TASK_GROUPS } from '../manifests/write-operator';
import { problemAt } from '../package/types';
import { KUDO_API_VERSION } from '../types';
import type { ConvertedFile } from './convert-files';
import { placesOfHook } from './hooks';
import type { Chart } from './read-chart';

interface OperatorParts {
  readonly chart: Chart;
  readonly about: { readonly operator: string; readonly version: string; readonly appVersion: string };
  readonly files: readonly ConvertedFile[];
  readonly description: string;
  readonly notes: ConversionNote[];
}

/** operator.yaml of a converted chart: a step for each group of kinds, hooks as steps around them and as plans of their own. */
export function writeChartOperator({ chart, about, files, description, notes }: OperatorParts): string {
  const plans = new Plans();
  for (const group of TASK_GROUPS) {
    const resources = files.filter((file) => file.role.kind === 'object' && groupOfKinds(file.role.objects) === group);
    if (resources.length > 0) plans.add('deploy', 'main', group, resources);
  }
  const hooks = files.flatMap((file) => (file.role.kind === 'hook' ? [{ file, ...file.role }] : []));
  for (const { file, on } of hooks.sort((a, b) => a.weight - b.weight)) {
    for (const place of new Set(on.map((each) => JSON.stringify(placesOfHook(each) ?? each)))) {
      const found: unknown = JSON.parse(place);
      if (isJsonObject(found)) plans.hook(String(found.plan), String(found.at) as HookPlace, file);
      else notes.push({ ...problemAt(file.file, 0, `The hook ${found} has no counterpart.`), level: 'check' });
    }
  }
  const maintainers = arrayAt(chart.metadata, 'maintainers').filter(isJsonObject);
  const url = stringAt(chart.metadata, 'home');
  return writeYaml({
    apiVersion: KUDO_API_VERSION,
    name: about.operator,
    ...(description === '' ? {} : { description }),
    operatorVersion: about.version,
    ...(about.appVersion === '' ? {} : { appVersion: about.appVersion }),
    kubernetesVersion: '1.25.0',
    ...(url === undefined ? {} : { url }),
    maintainers: maintainers.map(({ name, email }) => ({ name: String(name ?? ''), email: String(email ?? '') })),
    ...plans.written(),
  });
}

type HookPlace = 'before' | 'after' | 'alone';

class Plans {
  private readonly tasks: JsonObject[] = [];
  private readonly steps = new Map<string, Map<string, JsonObject[]>>();

  add(plan: string, phase: string, name: string, files: readonly ConvertedFile[]): void {
    this.tasks.push({ name, kind: 'Apply', spec: { resources: files.map(({ key }) => key) } });
    this.stepsOf(plan, phase).push({ name, tasks: [name] });
  }

  /** A Job that ran before is deleted first, as Helm does by default (before-hook-creation). */
  hook(plan: string, at: HookPlace, { key }: ConvertedFile): void {
    const name = key.replace(/\.yaml$/, '').replace(/[^a-z0-9]+/gi, '-');
    if (!this.tasks.some((task) => task.name === name)) {
      this.tasks.push({ name: `${name}-clear`, kind: 'Delete', spec: { resources: [key] } });
      this.tasks.push({ name, kind: 'Apply', spec: { resources: [key] } });
    }
    const steps = this.stepsOf(plan, at === 'alone' ? 'main' : `${at}-main`);
    steps.push({ name: `${name}-clear`, tasks: [`${name}-clear`] }, { name, tasks: [name] });
  }

  private stepsOf(plan: string, phase: string): JsonObject[] {
    const phases = this.steps.get(plan) ?? new Map<string, JsonObject[]>();
    this.steps.set(plan, phases);
    const steps = phases.get(phase) ?? [];
    phases.set(phase, steps);
    return steps;
  }

  written(): { tasks: JsonObject[]; plans: JsonObject } {
    const strategy = 'serial';
    const rank = ['before-main', 'main', 'after-main'];
    const plans = [...this.steps].map(([plan, phases]) => {
      const sorted = [...phases].sort(([a], [b]) => rank.indexOf(a) - rank.indexOf(b));
      return [plan, { strategy, phases: sorted.map(([name, steps]) => ({ name, strategy, steps })) }] as const;
    });
    return { tasks: this.tasks, plans: Object.fromEntries(plans) };
  }
}
