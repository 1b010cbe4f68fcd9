import { expect, it } from 'vitest';
import { pageActions } from './page-actions';
import { findEntries } from './palette-entries';

const sources = { instances: [], packages: [], kinds: [], namespaces: [] };

it('offers the actions of the object whose page is open, each with its dialog', () => {
  const actions = pageActions('/resources/apps/v1/deployments/demo/web/yaml');
  const [found] = findEntries('restart web', { ...sources, actions });
  expect(found).toMatchObject({
    label: 'Restart web…',
    goal: { to: 'page', href: '/resources/apps/v1/deployments/demo/web?ask=restart' },
  });
  expect(pageActions('/resources/core/v1/nodes/_/n').map(({ label }) => label)).toContain('Drain n…');
});

it('offers none on lists, other pages, and objects without actions', () => {
  for (const path of ['/', '/resources/apps/v1/deployments', '/resources/core/v1/pods/demo/web', '/runs/a/b/c/d/e']) {
    expect(pageActions(path)).toEqual([]);
  }
});
