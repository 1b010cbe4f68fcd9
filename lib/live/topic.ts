import type { GroupVersionResource } from '@/lib/kube/object';

/**
 * What a page listens to: the objects of a resource, in one namespace or in all that one may see. With `name` that one object
 * alone. With `view: 'rows'` only what a list shows of each object (see server/live/row-object): some hundred bytes, so that
 * ten thousand are no burden.
 */
export interface Topic extends GroupVersionResource {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly view?: 'rows' | undefined;
}

/**
 * `core/v1/pods@demo`, `kudo.dev/v1beta1/instances`, `apps/v1/deployments@demo=web`, `core/v1/configmaps!rows`. The key of a topic
 * everywhere.
 */
export function formatTopic(topic: Topic): string {
  const base = `${topic.group === '' ? 'core' : topic.group}/${topic.version}/${topic.resource}`;
  const place = topic.namespace === undefined ? '' : `@${topic.namespace}`;
  const name = topic.name === undefined ? '' : `=${topic.name}`;
  return `${base}${place}${name}${topic.view === undefined ? '' : `!${topic.view}`}`;
}

const TOPIC_PATTERN =
  /^([a-z0-9.-]{1,253})\/([a-z0-9]{1,63})\/([a-z0-9.-]{1,253})(?:@([a-z0-9-]{1,63}))?(?:=([\w.:%-]{1,253}))?$/;
const VIEW = /!rows$/;

/** The reverse of {@link formatTopic}; undefined for anything that is no topic. */
export function parseTopic(text: string): Topic | undefined {
  const match = TOPIC_PATTERN.exec(text.replace(VIEW, ''));
  if (match === null) return undefined;
  const [, group = '', version = '', resource = '', namespace, name] = match;
  return {
    group: group === 'core' ? '' : group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(VIEW.test(text) ? { view: 'rows' } : {}),
  };
}

const core = (resource: string, namespace?: string): Topic => ({ group: '', version: 'v1', resource, namespace });

/** The whole topic that this one is a part of; undefined when it is whole itself. */
export function wholeOf({ name, view, ...whole }: Topic): Topic | undefined {
  return name === undefined && view === undefined ? undefined : whole;
}

/** The topics that pages name often. */
export const topics = {
  instances: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
  operators: { group: 'kudo.dev', version: 'v1beta1', resource: 'operators' },
  operatorVersions: { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions' },
  instanceRows: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', view: 'rows' },
  versionRows: { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions', view: 'rows' },
  namespaces: { ...core('namespaces'), view: 'rows' },
  crds: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
  pods: (namespace: string): Topic => core('pods', namespace),
  events: (namespace: string): Topic => core('events', namespace),
} as const;
