import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion } from '../types';
import type { OperatorSubscription, OperatorSubscriptionStatus } from '../upgrades/operator-subscription';
import { needsUpgrade, releaseMark } from './release-marks';

const version = (number: string, namespace = 'demo'): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: `db-${number}`, namespace },
  spec: { operator: { name: 'db' }, version: number },
});
const instance = (name: string, number: string): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name, namespace: 'demo' },
  spec: { operatorVersion: { name: `db-${number}` } },
});
const follows = (status: OperatorSubscriptionStatus): OperatorSubscription => ({
  apiVersion: '',
  kind: '',
  metadata: { name: 'db', namespace: 'demo' },
  spec: { operator: 'db' },
  status,
});
const known = (operatorVersion: string) => ({ operatorVersion, appVersion: '' });

describe('what is to be done for an operator', () => {
  const versions = [version('1.0.0'), version('1.1.0')];
  const instances = [instance('a', '1.0.0'), instance('b', '1.1.0'), instance('c', '9')];

  it('counts Instances behind the newest version of the catalogue', () => {
    const mark = releaseMark('db', [known('1.1.0'), known('1.0.0')], { versions, instances, subscriptions: [] });
    expect(mark).toEqual({ outdated: 1, withdrawn: 0, advisories: [] });
    expect(needsUpgrade(mark)).toBe(true);
    expect(needsUpgrade(releaseMark('db', [known('1.0.0')], { versions, instances, subscriptions: [] }))).toBe(false);
    expect(needsUpgrade(releaseMark('web', [known('2.0.0')], { versions, instances, subscriptions: [] }))).toBe(false);
  });

  it('follows the subscription where there is one, and not the catalogue', () => {
    const status = { available: 'db-1.0.0', path: [], installed: [{ version: 'db-1.0.0', instances: 1 }] };
    const objects = { versions, instances, subscriptions: [follows(status)] };
    expect(releaseMark('db', [known('3.0.0')], objects).outdated).toBe(0);
    const newer = { ...status, available: 'db-1.2.0', path: ['db-1.2.0'] };
    expect(releaseMark('db', [], { ...objects, subscriptions: [follows(newer)] }).outdated).toBe(1);
  });

  it('has each advisory once, the most severe first, and counts Instances of withdrawn versions', () => {
    const advisory = (id: string, severity: 'low' | 'critical') => ({ id, severity, summary: 'x' });
    const installed = [
      {
        version: 'db-1.0.0',
        instances: 2,
        withdrawn: 'bad',
        advisories: [advisory('A', 'low'), advisory('B', 'critical')],
      },
      { version: 'db-1.1.0', instances: 1, advisories: [advisory('A', 'low')] },
    ];
    const mark = releaseMark('db', [], { versions, instances, subscriptions: [follows({ installed })] });
    expect(mark.withdrawn).toBe(2);
    expect(mark.advisories.map(({ id }) => id)).toEqual(['B', 'A']);
  });
});
