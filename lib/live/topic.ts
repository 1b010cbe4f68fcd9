import type { GroupVersionResource } from '@/lib/kube/object';

/** What a page listens to: all objects of a resource, in one namespace or in all that one may see. */
export interface Topic extends GroupVersionResource {
  readonly namespace?: string | undefined;
}

/** `core/v1/pods@demo`, `kudo.dev/v1beta1/instances`. The key of a topic everywhere. */
export function formatTopic(topic: Topic): string {
  const base = `${topic.group === '' ? 'core' : topic.group}/${topic.version}/${topic.resource}`;
  return topic.namespace === undefined ? base : `${base}@${topic.namespace}`;
}

const TOPIC_PATTERN = /^([a-z0-9.-]{1,253})\/([a-z0-9]{1,63})\/([a-z0-9.-]{1,253})(?:@([a-z0-9-]{1,63}))?$/;

/** The reverse of {@link formatTopic}; undefined for anything that is no topic. */
export function parseTopic(text: string): Topic | undefined {
  const match = TOPIC_PATTERN.exec(text);
  if (match === null) return undefined;
  const [, group = '', version = '', resource = '', namespace] = match;
  const base = { group: group === 'core' ? '' : group, version, resource };
  return namespace === undefined ? base : { ...base, namespace };
}

const core = (resource: string, namespace?: string): Topic => ({ group: '', version: 'v1', resource, namespace });

/** The topics that pages name often. */
export const topics = {
  instances: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
  operators: { group: 'kudo.dev', version: 'v1beta1', resource: 'operators' },
  operatorVersions: { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions' },
  namespaces: core('namespaces'),
  crds: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
  pods: (namespace: string): Topic => core('pods', namespace),
  events: (namespace: string): Topic => core('events', namespace),
} as const;
