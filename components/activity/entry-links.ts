import { objectHref } from '@/components/resources/resource-path';
import type { ActivityEntry } from '@/lib/audit/activity';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { runPath } from '@/lib/kudo/view/run-row';

/** The page of the object of an entry; undefined when it has none, or was deleted. */
export function objectLink({ object, verb, run }: ActivityEntry): string | undefined {
  const { group, version, resource, namespace, name } = object;
  if (name === '' || version === '' || verb === 'delete') return undefined;
  if (group === INSTANCES.group && resource === INSTANCES.resource) return instancePath(namespace, name);
  if (resource === PLAN_RUNS.resource && run !== undefined) return runPath({ namespace, ...run });
  return objectHref({ group, version, resource }, namespace, name);
}

/** The page of the run that an entry began; undefined when it began none that still exists. */
export function runLink({ object, run }: ActivityEntry): string | undefined {
  return run === undefined ? undefined : runPath({ namespace: object.namespace, ...run });
}
