import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { belongsTo } from './belongs-to';

const pod = (instance: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'orders-0', labels: { 'kudo.dev/instance': instance } },
});
const event = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name}.1` },
  involvedObject: { kind: 'Pod', name },
});

describe('what belongs to an Instance', () => {
  it('has its label', () => {
    expect(belongsTo(pod('orders'), ['orders'])).toBe(true);
    expect(belongsTo(pod('other'), ['orders'])).toBe(false);
  });

  it('names it, when it is a PlanRun', () => {
    const run: KubeObject = {
      apiVersion: 'bravo.kudo.dev/v1alpha1',
      kind: 'PlanRun',
      metadata: { name: 'orders-deploy-1' },
    };
    expect(belongsTo({ ...run, spec: { instanceName: 'orders' } }, ['orders'])).toBe(true);
    expect(belongsTo({ ...run, spec: { instanceName: 'ordersdb' } }, ['orders'])).toBe(false);
  });

  it.each([
    ['orders', true],
    ['orders-0', true],
    ['shared-cache', true],
    ['ordersdb', false],
    ['other-0', false],
  ])('is an event about %s: %s', (name, belongs) => {
    expect(belongsTo(event(name), ['orders', 'shared-cache'])).toBe(belongs);
  });
});
