import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '@/server/runtime/root';

const folder = join(projectRoot, 'operators');

/** `operator/version` → the text of its templates/target.yaml. */
function copies(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const operator of readdirSync(folder)) {
    for (const version of readdirSync(join(folder, operator))) {
      const file = join(folder, operator, version, 'templates/target.yaml');
      if (existsSync(file)) texts.set(`${operator}/${version}`, readFileSync(file, 'utf8'));
    }
  }
  return texts;
}

describe('the script that keeps backups (templates/target.yaml)', () => {
  it('is the same in all bundled operators that have it', () => {
    const texts = copies();
    const wanted = texts.get('etcd/1.1.0');
    expect(wanted).toContain('target.sh: |');
    expect([...texts].filter(([, text]) => text !== wanted).map(([name]) => name)).toEqual([]);
  });
});
