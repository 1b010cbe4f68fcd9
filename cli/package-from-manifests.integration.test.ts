import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFolder } from '@/server/packages/package-fixture';
import { runBravo } from '@/test/programs/run-bravo';

const folder = packageFolder();

const CONFIG = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: "1"}\n`;

it('from-manifests writes a package that verifies, and says what it did', async () => {
  await folder.write({ 'in/a.yaml': CONFIG('web-one'), 'in/sub/b.yml': CONFIG('web-two'), 'in/notes.txt': 'no' });
  const out = join(folder.path, 'out');
  const run = await runBravo('package', 'from-manifests', join(folder.path, 'in'), '-o', out);
  expect(run).toMatchObject({ err: '', code: 0 });
  expect(run.out).toContain('in/a.yaml:1: "web" in names and labels is the name of the Instance.\n');
  expect(await readFile(join(out, 'templates/configmap-one.yaml'), 'utf8')).toContain('name: {{ .Name }}-one\n');
  expect(await runBravo('package', 'verify', out)).toMatchObject({ out: 'package is valid\n', err: '', code: 0 });
});

it('from-manifests refuses a folder with files, a bad name and files that are not objects', async () => {
  await folder.write({ 'a.yaml': CONFIG('a'), 'bad.yaml': 'just: text\n', 'out/mine.txt': 'mine' });
  const file = join(folder.path, 'a.yaml');
  const run = async (...words: string[]) => (await runBravo('package', 'from-manifests', ...words)).err;
  expect(await run(file, '-o', join(folder.path, 'out'))).toContain('is not empty');
  expect(await run(file, '--name', 'A_B')).toContain('not a valid name');
  expect(await run(join(folder.path, 'bad.yaml'))).toContain('bad.yaml:1');
  expect(await run(join(folder.path, 'absent'))).toContain('no such file or folder');
  await writeFile(file, CONFIG('a'));
  expect(await run(file, '-o', join(folder.path, 'out'), '-w')).toBe('');
});
