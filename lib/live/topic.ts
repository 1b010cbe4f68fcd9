import type { GroupVersionResource } from '@/lib/kube/object';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';

/**
 * What a page listens to: the objects of a resource, in one namespace or in all that one may see. With `name` that one object
 * alone. With `view: 'rows'` only what a list shows of each object (see server/live/row-object): some hundred bytes, so that
 * ten thousand are no burden. With `view: 'tree'` what the tree of an Instance shows of it (see lib/kudo/tree/tree-object).
 */
export interface Topic extends GroupVersionResource {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /**
   * Only what belongs to an Instance: objects with its label, its PlanRuns and PlanSchedules, and events about objects of one of these names, or of a
   * name that begins with one and a dash. The Instance's own name is the first. In a tree also what has an owner and belongs to no Instance.
   */
  readonly of?: readonly string[] | undefined;
  readonly view?: 'rows' | 'tree' | undefined;
}

/**
 * `core/v1/pods@demo`, `kudo.dev/v1beta1/instances`, `apps/v1/deployments@demo=web`, `core/v1/pods@demo+orders`,
 * `core/v1/configmaps!rows`, `core/v1/pods@demo+orders!tree`. The key of a topic everywhere.
 */
export function formatTopic(topic: Topic): string {
  const base = `${topic.group === '' ? 'core' : topic.group}/${topic.version}/${topic.resource}`;
  const place = topic.namespace === undefined ? '' : `@${topic.namespace}`;
  const name = topic.name === undefined ? '' : `=${topic.name}`;
  const of = (topic.of ?? []).map((one) => `+${one}`).join('');
  return `${base}${place}${name}${of}${topic.view === undefined ? '' : `!${topic.view}`}`;
}

const TOPIC_PATTERN =
  /^([a-z0-9.-]{1,253})\/([a-z0-9]{1,63})\/([a-z0-9.-]{1,253})(?:@([a-z0-9-]{1,63}))?(?:=([\w.:%-]{1,253}))?((?:\+[a-z0-9.-]{1,253}){0,16})$/;
const VIEW = /!(rows|tree)$/;

/** The reverse of {@link formatTopic}; undefined for anything that is no topic. */
export function parseTopic(text: string): Topic | undefined {
  const match = TOPIC_PATTERN.exec(text.replace(VIEW, ''));
  if (match === null) return undefined;
  const view = VIEW.exec(text)?.[1];
  const [, group = '', version = '', resource = '', namespace, name, of = ''] = match;
  return {
    group: group === 'core' ? '' : group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(of === '' ? {} : { of: of.slice(1).split('+') }),
    ...(view === 'rows' || view === 'tree' ? { view } : {}),
  };
}

const core = (resource: string, namespace?: string): Topic => ({ group: '', version: 'v1', resource, namespace });

/**
 * The whole topic that this one is a part of; undefined when it is watched for itself. Of PlanRuns there may be 50,000: their rows, and a
 * single one, are watched for themselves, so that nobody reads all of them with all of their steps.
 */
export function wholeOf({ name, view, of, ...whole }: Topic): Topic | undefined {
  if (whole.group === PLAN_RUNS.group && whole.resource === PLAN_RUNS.resource) {
    return of === undefined ? undefined : { ...whole, ...(view === undefined ? {} : { view }) };
  }
  return name === undefined && view === undefined && of === undefined ? undefined : whole;
}

/** The topics that pages name often. */
export const topics = {
  instances: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
  operators: { group: 'kudo.dev', version: 'v1beta1', resource: 'operators' },
  operatorVersions: { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions' },
  instanceRows: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', view: 'rows' },
  versionRows: { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions', view: 'rows' },
  planRuns: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planruns' },
  planRunRows: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planruns', view: 'rows' },
  planRunRowsOf: (namespace: string, instance: string): Topic => ({
    group: 'bravo.kudo.dev',
    version: 'v1alpha1',
    resource: 'planruns',
    namespace,
    of: [instance],
    view: 'rows',
  }),
  planApprovals: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planapprovals' },
  planSchedules: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planschedules' },
  planScheduleRows: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planschedules', view: 'rows' },
  planScheduleRowsOf: (namespace: string, instance: string): Topic => ({
    group: 'bravo.kudo.dev',
    version: 'v1alpha1',
    resource: 'planschedules',
    namespace,
    of: [instance],
    view: 'rows',
  }),
  operatorUpgradeRows: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'operatorupgrades', view: 'rows' },
  operatorSubscriptions: { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'operatorsubscriptions' },
  namespaces: { ...core('namespaces'), view: 'rows' },
  crds: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
  pods: (namespace: string): Topic => core('pods', namespace),
  events: (namespace: string): Topic => core('events', namespace),
  podsOf: (namespace: string, instance: string): Topic => ({ ...core('pods', namespace), of: [instance] }),
  eventsOf: (namespace: string, names: readonly string[]): Topic => ({ ...core('events', namespace), of: names }),
} as const;
