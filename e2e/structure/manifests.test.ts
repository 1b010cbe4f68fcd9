import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manifestFiles } from '@/lib/kudo/installation/manifest-files';
import { productVersion, projectRoot } from '@/server/runtime/root';

const folder = join(projectRoot, 'deploy/manifests');

it('deploy/manifests is what npm run manifests writes', () => {
  const found = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const expected = manifestFiles(productVersion);
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [name, text] of expected) expect(found.get(name), name).toBe(text);
});
