import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { PackageCatalogue } from './catalogue';

const bundledDir = fileURLToPath(new URL('../../operators', import.meta.url));
const catalogue = new PackageCatalogue({ bundledDir });

describe.each(['1.0.0', '1.1.0'])('valkey %s', (operatorVersion) => {
  const find = () => catalogue.find({ name: 'valkey', operatorVersion });

  /** The tasks of each plan, in order. */
  async function tasksOf(plan: string): Promise<string[]> {
    const loaded = await find();
    const phases = arrayAt(loaded.package.operator, 'plans', plan, 'phases');
    return phases.flatMap((phase) => arrayAt(phase, 'steps').flatMap((step) => arrayAt(step, 'tasks').map(String)));
  }

  it('reads what valkey-cli prints wherever a script sends it several commands, because its exit code is 0 then', async () => {
    const loaded = await find();
    const scripts = ['scripts.yaml', 'jobs.yaml'].map((name) => loaded.package.templates.get(name) ?? '');
    const lines = scripts.join('\n').split('\n');
    const sending = lines.filter((line) => /\| (ask|here)\b/.test(line));
    expect(sending.length).toBeGreaterThan(0);
    expect(sending.filter((line) => !/\| (parse|tr) /.test(line))).toEqual([]);
  });

  it('says which pod is the primary only in plans that make one the primary', async () => {
    const loaded = await find();
    const plans = Object.keys(loaded.package.operator.plans);
    const writing: string[] = [];
    for (const plan of plans) if ((await tasksOf(plan)).includes('primary')) writing.push(plan);
    expect(writing.sort()).toEqual(['deploy', 'failover', 'restore', 'switchover']);
  });

  it('reads a backup before a restore stops the servers', async () => {
    const tasks = await tasksOf('restore');
    expect(tasks.indexOf('run-load')).toBeGreaterThan(0);
    expect(tasks.indexOf('run-load')).toBeLessThan(tasks.indexOf('stop-servers'));
  });

  it('asks health checks only of containers that a pod has', async () => {
    const loaded = await find();
    const set = loaded.package.templates.get('statefulset.yaml') ?? '';
    for (const check of loaded.package.operator.healthChecks ?? []) {
      expect(set).toContain(`- name: ${stringAt(check, 'container')}\n`);
    }
  });
});
