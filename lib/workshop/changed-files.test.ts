import { expect, it } from 'vitest';
import { APPLY, CONFIG, DEPLOY, OPERATOR_HEAD } from '@/lib/kudo/verify/verify-fixture';
import { changedFiles } from './changed-files';
import { checkDraft } from './check-draft';
import { installedFiles } from './installed-files';

const DRAFT = new Map([
  ['operator.yaml', OPERATOR_HEAD + APPLY + DEPLOY],
  ['params.yaml', 'parameters:\n- {name: A, type: integer, default: 1, group: g}\ngroups: [{name: g}]\n'],
  ['templates/x.yaml', `${CONFIG}data: {a: "{{ .Params.A }}"}\n`],
]);

it('lists added, changed and deleted files in the order of the tree', () => {
  const after = new Map([...DRAFT, ['templates/a.yaml', 'new'], ['operator.yaml', 'name: b\n']]);
  after.delete('templates/x.yaml');
  expect(changedFiles(DRAFT, after).map(({ path, change }) => `${change} ${path}`)).toEqual([
    'changed operator.yaml',
    'added templates/a.yaml',
    'deleted templates/x.yaml',
  ]);
  expect(changedFiles(DRAFT, DRAFT)).toEqual([]);
});

it('writes files of an installed version, which become the same tasks, plans, parameters and templates again', () => {
  const version = checkDraft(DRAFT).objects?.operatorVersion;
  const again = version === undefined ? undefined : checkDraft(installedFiles(version)).objects?.operatorVersion;
  expect(again?.spec).toEqual({
    ...version?.spec,
    parameters: [{ name: 'A', required: true, default: '1', immutable: false, 'value-type': 'integer' }],
  });
});
