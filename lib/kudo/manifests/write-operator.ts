import type { JsonObject } from '@/lib/json/json';
import { writeYaml } from '@/lib/yaml/yaml';
import { KUDO_API_VERSION } from '../types';

/** What is applied together, in this order. `namespace` is for the installer, not for a plan. */
export const TASK_GROUPS = ['namespace', 'definitions', 'configuration', 'workloads', 'resources', 'access'] as const;
export type TaskGroup = (typeof TASK_GROUPS)[number];

/** The text of operator.yaml with one task and one step of the plan deploy for each group. */
export function writeOperator(options: {
  readonly name: string;
  readonly groups: ReadonlyMap<TaskGroup, readonly string[]>;
  readonly namespaceManifest: string | undefined;
}): string {
  const groups = TASK_GROUPS.filter((group) => group !== 'namespace' && (options.groups.get(group)?.length ?? 0) > 0);
  const file: JsonObject = {
    apiVersion: KUDO_API_VERSION,
    name: options.name,
    operatorVersion: '0.1.0',
    kubernetesVersion: '1.25.0',
    maintainers: [],
  };
  if (options.namespaceManifest !== undefined) file.namespaceManifest = options.namespaceManifest;
  file.tasks = groups.map((name) => ({
    name,
    kind: 'Apply',
    spec: { resources: [...(options.groups.get(name) ?? [])] },
  }));
  const steps = groups.map((name) => ({ name, tasks: [name] }));
  file.plans = { deploy: { strategy: 'serial', phases: [{ name: 'deploy', strategy: 'serial', steps }] } };
  return writeYaml(file);
}
