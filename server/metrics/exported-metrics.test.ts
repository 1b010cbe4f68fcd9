import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '@/lib/clock/clock';
import { projectRoot } from '@/server/runtime/root';
import { measureConsole } from './measure-console';
import { measureController } from './measure-controller';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const measured = await Promise.all([
  measureController({ version: 'test', isProcess: true, clock: systemClock }).values(),
  measureConsole({ version: 'test', clock: systemClock }).values(),
]);
const types = new Map(measured.flat().map(({ name, type }) => [name, String(type)]));
const isOurs = (name: string) => /^(bravo|workqueue)_/.test(name);

/** Names of metrics in expressions, without the endings of a histogram's series. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(bravo|workqueue|process|nodejs)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names)].map((name) => {
    const base = name.replace(/_(bucket|count|sum)$/, '');
    return types.get(base) === 'histogram' ? base : name;
  });
}

describe('exported metrics', () => {
  it.each([
    'deploy/monitoring/prometheus-rule.yaml',
    'deploy/monitoring/dashboard.json',
    'deploy/monitoring/rules-test.yaml',
  ])('are all that %s asks for', (path) => {
    const named = metricsIn(read(path));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !types.has(name))).toEqual([]);
  });

  it('are all in the table of the guide, with their type, and nothing else is', () => {
    const rows = [...read('docs/guide/monitoring.md').matchAll(/^\| `([a-z_]+)` \| (counter|gauge|histogram) \|/gm)];
    const table = new Map(rows.map(([, name = '', type = '']) => [name, type]));
    expect([...table].sort()).toEqual([...types].filter(([name]) => isOurs(name)).sort());
  });

  it('are all in the dashboard', () => {
    const shown = new Set(metricsIn(read('deploy/monitoring/dashboard.json')));
    expect([...types.keys()].filter((name) => isOurs(name) && !shown.has(name))).toEqual([]);
  });

  it('have a section of the runbooks for each alert, and no section without one', () => {
    const rules = read('deploy/monitoring/prometheus-rule.yaml');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const links = [...rules.matchAll(/runbook_url: docs\/guide\/runbooks\.md#(\w+)/g)].map(([, anchor]) => anchor);
    const sections = [...read('docs/guide/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(alerts);
    expect(links).toEqual(alerts.map((name) => name?.toLowerCase()));
  });
});
