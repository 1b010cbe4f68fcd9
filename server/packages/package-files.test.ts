import { expect, it } from 'vitest';
import { loadArchive, loadPackage } from './loaded-package';
import { packageFiles } from './package-files';
import { archiveOf, OPERATOR, PARAMS, packageFolder } from './package-fixture';

const folder = packageFolder();
const FILES = { 'operator.yaml': OPERATOR('hello'), [PARAMS.name]: PARAMS.text, 'templates/a.yaml': 'kind: A\n' };

it('gives the files of a folder and of an archive as they are written', async () => {
  await folder.write(FILES);
  expect(Object.fromEntries(await packageFiles(await loadPackage(folder.path)))).toEqual(FILES);
  const entries = Object.entries(FILES).map(([name, text]) => ({ name: `operator/${name}`, text }));
  const loaded = await loadArchive(await archiveOf(entries), 'a.tgz');
  expect(Object.fromEntries(await packageFiles(loaded))).toEqual(FILES);
});
