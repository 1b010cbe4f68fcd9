import { expect, it } from 'vitest';
import type { Api } from '@/server/kube/api';
import { OPERATOR, PARAMS } from '@/server/packages/package-fixture';
import { installDraft } from './install-draft';

const FILES = { 'operator.yaml': OPERATOR('hello'), [PARAMS.name]: PARAMS.text };
const nobody = {} as Api;
const install = (files: { [path: string]: string | number }, namespace = 'demo') =>
  installDraft({ namespace, instance: 'hello', files }, nobody, new AbortController().signal);

it('refuses a draft with errors, with file and line, before it asks the cluster anything', async () => {
  const operator = FILES['operator.yaml'].replace('tasks: [done]', 'tasks: [gone]');
  await expect(install({ ...FILES, 'operator.yaml': operator })).rejects.toMatchObject({
    status: 422,
    causes: [{ field: 'operator.yaml:8', message: 'task "gone" in plan "deploy" is not defined' }],
  });
  await expect(install({})).rejects.toMatchObject({ status: 422 });
});

it('refuses files that are no texts, too many files, and a name that is none', async () => {
  await expect(install({ ...FILES, 'a.yaml': 1 })).rejects.toMatchObject({
    causes: [{ field: 'a.yaml', message: 'must be a text' }],
  });
  const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`templates/${at}.yaml`, '']));
  await expect(install({ ...FILES, ...many })).rejects.toThrow('at most 500');
  await expect(install(FILES, 'No Name')).rejects.toMatchObject({ causes: [{ field: 'namespace' }] });
});
