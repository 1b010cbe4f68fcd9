import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Bundle } from './bundle';
import { Redactor } from './redactor';
import { writeToFolder } from './write-folder';

describe('the folder of a collection', () => {
  it('CLI-084 records a file that cannot be written, and writes the others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bravo-bundle-'));
    await writeFile(join(folder, 'taken'), 'a file');
    const bundle = new Bundle(writeToFolder(folder), new Redactor([]));
    await bundle.writeYaml('taken/x.yaml', { a: 1 });
    await bundle.writeYaml('deep/x.yaml', { b: [1], a: undefined });
    expect(bundle.failures).toEqual([expect.stringContaining('taken')]);
    expect(await readFile(join(folder, 'deep/x.yaml'), 'utf8')).toBe('b:\n- 1\n');
    expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700);
    await rm(folder, { recursive: true });
  });
});
