import { describe, expect, it } from 'vitest';
import { formatTopic, parseTopic, type Topic, topics, wholeOf } from './topic';

const pods: Topic = { group: '', version: 'v1', resource: 'pods' };

describe('a topic', () => {
  it.each<[string, Topic]>([
    ['core/v1/pods', pods],
    ['core/v1/pods@demo', { ...pods, namespace: 'demo' }],
    ['core/v1/pods@demo=web-0', { ...pods, namespace: 'demo', name: 'web-0' }],
    ['core/v1/pods@demo+web', { ...pods, namespace: 'demo', of: ['web'] }],
    ['core/v1/events@demo+web+other.x', { ...pods, resource: 'events', namespace: 'demo', of: ['web', 'other.x'] }],
    ['core/v1/pods!rows', { ...pods, view: 'rows' }],
    ['core/v1/pods@demo+web!tree', { ...pods, namespace: 'demo', of: ['web'], view: 'tree' }],
    [
      'kudo.dev/v1beta1/instances@demo!rows',
      { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace: 'demo', view: 'rows' },
    ],
    [
      'rbac.authorization.k8s.io/v1/clusterroles=system:node',
      { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', name: 'system:node' },
    ],
  ])('%s reads and writes the same', (text, topic) => {
    expect(parseTopic(text)).toEqual(topic);
    expect(formatTopic(topic)).toBe(text);
  });

  it.each([
    '',
    'pods',
    'core/v1/pods@',
    'core/v1/pods!all',
    'core/v1/pods=a/b',
    'core/v1/pods+',
    'core/v1/pods+A',
    'core/v1/../secrets',
  ])('is not %j', (text) => {
    expect(parseTopic(text)).toBeUndefined();
  });

  it('is a part of the whole when it has a name, belongs to an Instance, or shows rows alone', () => {
    expect(wholeOf({ ...pods, namespace: 'demo', of: ['a'] })).toEqual({ ...pods, namespace: 'demo' });
    expect(wholeOf({ ...pods, namespace: 'demo', name: 'a' })).toEqual({ ...pods, namespace: 'demo' });
    expect(wholeOf({ ...pods, view: 'rows' })).toEqual(pods);
    expect(wholeOf(pods)).toBeUndefined();
  });

  it('is whole itself when it is of one PlanRun, or of rows of PlanRuns', () => {
    const { planRuns, planRunRows } = topics;
    expect(wholeOf({ ...planRuns, namespace: 'demo', name: 'a' })).toBeUndefined();
    expect(wholeOf(planRunRows)).toBeUndefined();
    expect(wholeOf(topics.planRunRowsOf('demo', 'pg'))).toEqual({ ...planRunRows, namespace: 'demo' });
    expect(wholeOf({ ...planRuns, namespace: 'demo', of: ['pg'] })).toEqual({ ...planRuns, namespace: 'demo' });
  });
});
