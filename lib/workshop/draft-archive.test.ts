import { describe, expect, it } from 'vitest';
import { limits } from '@/lib/limits/limits';
import { openArchive, openFiles, packDraft } from './draft-archive';
import { checkDraftSize, pathProblem } from './draft-files';
import { draftVersion, titleOfFiles, withVersion } from './draft-version';

const bytes = (text: string) => new TextEncoder().encode(text);
const OPERATOR = 'name: hello # the name\noperatorVersion: "1.0.0"\nappVersion: 1.37\n';
const FILES = new Map([
  ['operator.yaml', OPERATOR],
  ['params.yaml', 'parameters: []\n'],
  ['README.md', '# hello\n'],
  ['templates/a.yaml', 'a: é\n'],
]);

describe('the archive of a draft', () => {
  it('has the same files when it is opened again', async () => {
    const { files, leftOut } = await openArchive(await packDraft(FILES));
    expect([...files.keys()]).toEqual(['operator.yaml', 'params.yaml', 'README.md', 'templates/a.yaml']);
    expect(files).toEqual(FILES);
    expect(leftOut).toEqual([]);
  });

  it('is the same for the same files in another order', async () => {
    const other = await packDraft(new Map([...FILES].reverse()));
    expect(Buffer.from(await packDraft(FILES)).equals(other)).toBe(true);
  });
});

describe('opening files', () => {
  it('takes the folder of operator.yaml as the root, and leaves out what is no text', () => {
    const { files, leftOut } = openFiles([
      { path: 'hello/operator.yaml', content: bytes(OPERATOR) },
      { path: 'hello/templates/a.yaml', content: bytes('a: 1\n') },
      { path: 'hello/logo.png', content: bytes('PNG') },
      { path: 'hello/templates/b.yaml', content: new Uint8Array([0xff, 0xfe]) },
      { path: 'hello/.git/config.md', content: bytes('x') },
    ]);
    expect([...files.keys()]).toEqual(['operator.yaml', 'templates/a.yaml']);
    expect(leftOut).toEqual(['logo.png', 'templates/b.yaml']);
  });

  it('refuses a folder without operator.yaml, and a package of 1,000 files with a sentence', () => {
    expect(() => openFiles([{ path: 'a.yaml', content: bytes('') }])).toThrow('It has no operator.yaml');
    const many = Array.from({ length: 1_000 }, (_, at) => ({ path: `templates/${at}.yaml`, content: bytes('') }));
    const all = [{ path: 'operator.yaml', content: bytes('') }, ...many];
    expect(() => openFiles(all)).toThrow('The package has 1001 files, and the workshop opens packages of at most 500.');
  });
});

describe('the files of a draft', () => {
  it.each([
    ['', 'Required.'],
    ['templates/new.yaml', undefined],
    ['../x.yaml', 'Use letters'],
    ['templates//x.yaml', 'Use letters'],
    ['x.sh', 'must end with'],
    ['operator.yaml', 'already exists'],
    ['templates/a.yaml/b.yaml', 'both a file and a folder'],
    [`templates/${'x'.repeat(100)}.yaml`, 'At most 100'],
  ])('%j as a new path: %s', (path, problem) => {
    const found = pathProblem(path, FILES);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it('may not be longer than the limits', () => {
    expect(() => checkDraftSize(FILES)).not.toThrow();
    const long = 'x'.repeat(limits.workshop.fileChars + 1);
    expect(() => checkDraftSize(new Map([['a.yaml', long]]))).toThrow('File a.yaml is longer than 512 KiB.');
  });
});

describe('the version of a draft', () => {
  it('is the first that is not taken', () => {
    expect(draftVersion('1.0.0', () => false)).toBe('1.0.0-draft.1');
    expect(draftVersion('1.0.0', (version) => version !== '1.0.0-draft.3')).toBe('1.0.0-draft.3');
    expect(draftVersion('1.0.0-rc.1', () => false)).toBe('1.0.0-rc.1.draft.1');
  });

  it('is written into operator.yaml, which keeps its comments', () => {
    const text = withVersion(FILES, '1.0.0-draft.1').get('operator.yaml');
    expect(text).toBe(OPERATOR.replace('"1.0.0"', '"1.0.0-draft.1"'));
  });

  it('is read from a text that is half written', () => {
    expect(titleOfFiles(FILES)).toEqual({ name: 'hello', operatorVersion: '1.0.0', appVersion: '1.37' });
    expect(titleOfFiles(new Map([['operator.yaml', 'name: hello\ntasks: [']]))).toMatchObject({ name: 'hello' });
    expect(titleOfFiles(new Map())).toEqual({ name: '', operatorVersion: '', appVersion: '' });
  });
});
