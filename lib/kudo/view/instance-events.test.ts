import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { followedNames, instanceEvents } from './instance-events';

const event = (name: string, kind: string, about: string, parts: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
  involvedObject: { kind, name: about },
  type: 'Normal',
  reason: 'Made',
  message: 'made',
  ...parts,
});

const names = new Set(['StatefulSet/db', 'Pod/db-0']);

describe('instanceEvents', () => {
  it('has the events of the Instance and of its objects', () => {
    const events = [
      event('a', 'Instance', 'db'),
      event('b', 'Pod', 'db-0'),
      event('c', 'Pod', 'other-0'),
      event('d', 'Instance', 'other'),
    ];
    expect(instanceEvents(events, 'db', names).map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('goes by the beginning of names while the owned objects are unknown', () => {
    const events = [event('a', 'Pod', 'db-0'), event('b', 'Pod', 'dba-0')];
    expect(instanceEvents(events, 'db', undefined).map(({ key }) => key)).toEqual(['a']);
  });

  it('puts the event that was written later first when times are equal', () => {
    const written = (name: string, resourceVersion: string) => {
      const made = event(name, 'Instance', 'db');
      return { ...made, metadata: { ...made.metadata, resourceVersion } };
    };
    const events = [written('first', '9'), written('third', '11'), written('second', '10')];
    expect(instanceEvents(events, 'db', names).map(({ key }) => key)).toEqual(['third', 'second', 'first']);
  });

  it('puts the newest first, by any of the times that an event has', () => {
    const events = [
      event('old', 'Instance', 'db'),
      event('series', 'Instance', 'db', { series: { count: 4, lastObservedTime: '2026-01-03T00:00:00Z' } }),
      event('last', 'Instance', 'db', { lastTimestamp: '2026-01-02T00:00:00Z', count: 2, type: 'Warning' }),
    ];
    const lines = instanceEvents(events, 'db', names);
    expect(lines.map(({ key, count, isWarning }) => [key, count, isWarning])).toEqual([
      ['series', 4, false],
      ['last', 2, true],
      ['old', 1, false],
    ]);
  });
});

describe('the names that a page follows', () => {
  it('are its own and those that do not begin with another one', () => {
    const owned = ['shared-cache', 'orders-0', 'orders', 'zoo', 'shared-cache-0'].map((name) => ({ name }));
    expect(followedNames('orders', owned)).toEqual(['orders', 'shared-cache', 'zoo']);
  });
});
