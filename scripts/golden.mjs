// Replays folders of golden template renderings: npm run golden -- DIR…
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const result = spawnSync(process.execPath, ['--import', 'tsx', `${root}cli/golden.ts`, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = result.status ?? 1;
