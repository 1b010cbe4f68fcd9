import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { resourceProblems } from './resource-health';

function pod(name: string, annotations?: { [key: string]: string }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { 'kudo.dev/instance': 'db' }, ...(annotations && { annotations }) },
    status: { phase: 'Pending' },
  };
}

function problems(...pods: KubeObject[]): string[] {
  return resourceProblems({ workloads: new Map([['pods', { list: () => pods }]]) }, 'shop', 'db');
}

describe('the readiness of an idle Instance', () => {
  it('counts a pod that a plan left pending', () => {
    expect(problems(pod('db-0'))).toEqual([expect.stringContaining('Pod db-0')]);
  });

  it('does not count the pod of a pipe, whose end rings nobody', () => {
    expect(problems(pod('db.backup.pipepod', { 'kudo.dev/pipepod': 'true' }))).toEqual([]);
  });
});
