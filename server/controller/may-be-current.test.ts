import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { mayBeCurrent } from './may-be-current';

const object = (apiVersion: string, kind: string, resourceVersion: string, status?: object): KubeObject =>
  ({
    apiVersion,
    kind,
    metadata: { namespace: 'ns', name: 'a', resourceVersion },
    ...(status === undefined ? {} : { status }),
  }) as KubeObject;

/** Watches that show one Deployment. */
const watching = (resourceVersion: string) => {
  const cache = { get: () => object('apps/v1', 'Deployment', resourceVersion, {}), list: () => [] };
  return { workloads: new Map([['deployments', cache]]) } as never;
};

describe('an object that was written or read earlier', () => {
  it('may be current when nobody but people and plans write its kind', () => {
    expect(mayBeCurrent(watching('1'), object('v1', 'ConfigMap', '7'))).toBe(true);
  });

  it('is not when its controller writes a status that nobody watches', () => {
    expect(mayBeCurrent(watching('1'), object('v1', 'PersistentVolumeClaim', '7', { phase: 'Bound' }))).toBe(false);
    expect(mayBeCurrent(watching('1'), object('serving.knative.dev/v1', 'Service', '7', {}))).toBe(false);
  });

  it('may be when the watched copy is the same, and is not when that differs or does not exist', () => {
    expect(mayBeCurrent(watching('7'), object('apps/v1', 'Deployment', '7', {}))).toBe(true);
    expect(mayBeCurrent(watching('8'), object('apps/v1', 'Deployment', '7', {}))).toBe(false);
    expect(mayBeCurrent(watching('6'), object('apps/v1', 'Deployment', '7', {}))).toBe(false);
    expect(mayBeCurrent(watching('7'), object('v1', 'Service', '7', {}))).toBe(false);
  });
});
