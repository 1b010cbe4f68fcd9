import { existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder';

describe('makeFolder', () => {
  const base = mkdtempSync(join(tmpdir(), 'bravo-folder-'));

  it('makes every folder on the way for this user alone, and leaves one that exists', () => {
    const path = join(base, 'a/b/c');
    makeFolder(path);
    makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('fails below a file', () => {
    writeFileSync(join(base, 'file'), '');
    expect(() => makeFolder(join(base, 'file/x'))).toThrow(/ENOTDIR/);
  });

  it.runIf(existsSync('/proc/self'))('fails at once where no folder can be made', () => {
    expect(() => makeFolder('/proc/foo/bar')).toThrow(/ENOENT/);
  });
});
