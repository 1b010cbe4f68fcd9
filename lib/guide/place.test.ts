import { describe, expect, it } from 'vitest';
import { guideBody, guidePlaceOf, guidePlaceOfLink, guideSection, headingSlug } from './place';

describe('the place of the guide', () => {
  it('is of the page of the console', () => {
    expect(guidePlaceOf('/')).toEqual({ page: 'console', section: 'overview' });
    expect(guidePlaceOf('/instances/demo/db/runs/db-deploy-1')).toEqual({ page: 'runs', section: undefined });
    expect(guidePlaceOf('/instances/demo/db')).toMatchObject({ section: 'an-instance' });
    expect(guidePlaceOf('/resources/core/v1/pods/demo/db-0')).toMatchObject({ page: 'pods' });
    expect(guidePlaceOf('/no/such/page')).toEqual({ page: 'console', section: undefined });
  });

  it('is what a link between pages names, and nothing for a link elsewhere', () => {
    expect(guidePlaceOfLink('runs.md#the-queue', 'schedules')).toEqual({ page: 'runs', section: 'the-queue' });
    expect(guidePlaceOfLink('#logs', 'pods')).toEqual({ page: 'pods', section: 'logs' });
    for (const href of ['', 'none.md', '../decisions/100-resource-tree.md', 'https://kudo.dev', '../runs.md'])
      expect(guidePlaceOfLink(href, 'pods'), href).toBeUndefined();
  });
});

describe('the body of a page', () => {
  it('has its headings one level up, because the title stands above it; code stays', () => {
    expect(guideBody('# Page\n\n## One\n```sh\n## no heading\n```\n### Two')).toBe(
      '\n# One\n```sh\n## no heading\n```\n## Two',
    );
  });
});

describe('a section of the guide', () => {
  const text = '# Page\n\nFirst.\n\n## One thing\n\nA.\n\n```\n## no heading\n```\n\n### Below\n\nB.\n\n## Two\n\nC.';

  it('goes to the next heading that is not below it', () => {
    expect(guideSection(text, 'one-thing')).toBe('## One thing\n\nA.\n\n```\n## no heading\n```\n\n### Below\n\nB.\n');
    expect(guideSection(text, 'two')).toBe('## Two\n\nC.');
    expect(guideSection(text, 'three')).toBeUndefined();
  });

  it('has the name that GitHub gives it', () => {
    expect(headingSlug('The page *Status*')).toBe('the-page-status');
    expect(headingSlug('Why a run failed')).toBe('why-a-run-failed');
  });
});
