import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { conformanceCases, goldenFiles, goldenText, unpackGolden } from './golden-files';
import { sharedPath } from './shared-path';

const script = fileURLToPath(new URL('../../scripts/pack-golden.mjs', import.meta.url));

describe('the golden files', () => {
  it('hold the renderings, the transcripts and the dumps', () => {
    expect([...goldenFiles('templates').keys()]).toEqual(['language.json', 'params.json', 'sprig.json']);
    expect([...goldenFiles('takeover').keys()]).toHaveLength(9);
    const topics = [...goldenFiles('api').keys()].filter((name) => name.endsWith('.json'));
    expect(topics.flatMap((name) => JSON.parse(goldenText('api', name))).length).toBeGreaterThan(600);
  });

  it('name each conformance case once', () => {
    const ids = conformanceCases();
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are refused by name when one does not exist', () => {
    expect(() => goldenText('api', 'nothing.json')).toThrow('api.tar.gz holds no nothing.json');
  });

  it('are written to a folder byte by byte', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bravo-golden-'));
    unpackGolden('takeover', folder);
    const written = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
    expect(new Map(written)).toEqual(goldenFiles('takeover'));
    rmSync(folder, { recursive: true });
  });

  it.skipIf(sharedPath('golden') === undefined)('are what ../shared holds (needs ../shared)', () => {
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
