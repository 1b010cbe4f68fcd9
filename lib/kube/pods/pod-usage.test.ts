import { describe, expect, it } from 'vitest';
import { formatBytes, formatCores, readPodUsage, totalUsage } from './pod-usage';
import { UsageHistory } from './usage-history';

const metrics = (at: string, cpu = '250m', memory = '64Mi') => ({
  timestamp: at,
  window: '15s',
  containers: [
    { name: 'app', usage: { cpu, memory } },
    { name: 'proxy', usage: { cpu: '1500000n', memory: 'nonsense' } },
  ],
});

describe('the usage of a pod', () => {
  it('is read in cores and bytes, and summed', () => {
    const usage = readPodUsage(metrics('2026-11-29T00:00:00Z'));
    expect(usage?.containers.get('app')).toEqual({ cpu: 0.25, memory: 64 * 1024 * 1024 });
    expect(usage && totalUsage(usage)).toEqual({ cpu: 0.2515, memory: 64 * 1024 * 1024 });
    expect(readPodUsage({ kind: 'Status' })).toBeUndefined();
  });

  it('is written as Kubernetes does', () => {
    expect([0, 0.2515, 1.5, 12].map(formatCores)).toEqual(['0m', '252m', '1.5', '12']);
    expect([512, 1536, 64 * 1024 ** 2, 1.5 * 1024 ** 3].map(formatBytes)).toEqual(['512B', '1.5Ki', '64Mi', '1.5Gi']);
  });

  it('is kept for the last readings of the last pods', () => {
    const history = new UsageHistory();
    const add = (pod: string, at: string) => {
      const usage = readPodUsage(metrics(at));
      if (usage !== undefined) history.add(pod, usage);
    };
    for (let minute = 10; minute < 60; minute++) add('a', `2026-11-29T00:${minute}:00Z`);
    add('a', '2026-11-29T00:59:00Z');
    expect(history.of('a')).toHaveLength(40);
    for (let pod = 0; pod < 500; pod++) add(`pod-${pod}`, '2026-11-29T00:00:00Z');
    expect([history.of('a').length, history.of('pod-0').length]).toEqual([0, 1]);
  });
});
