import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { bundleScript } from '../../scripts/bundle-script.mjs';

/** 64 MiB for a template, and the memory of the process itself. */
const HEAP_MB = 64 + 16;

it('no template bomb takes more than 64 MiB', async () => {
  const file = await bundleScript('lib/template/testing/explode.ts');
  const code = `import(${JSON.stringify(file)}).then(({ explodeAll }) => process.stdout.write(JSON.stringify(explodeAll())))`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`--max-old-space-size=${HEAP_MB}`, '-e', code], {
    encoding: 'utf8',
  });
  expect(status, stderr.slice(0, 2_000)).toBe(0);
  expect(JSON.parse(stdout)).toEqual([]);
});
