// npm run simulate -- --seeds N | --seed S: sandbox, controllers and a virtual clock in one process, with faults.
// npm run simulate -- --crash | --kills N | --freezes N: real controller processes, killed at every write or any time, or frozen.
// Many seeds are shared out to one process a core; the last line is their sum.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { checkNode, ensureInstalled } from './prepare.mjs';

/** Fewer seeds than this are not worth a second process. */
const SEEDS_A_PROCESS = 100;
const child = process.env.BRAVO_SIMULATE;

checkNode();
ensureInstalled();
const { bundleScript } = await import('./bundle-script.mjs');
const args = process.argv.slice(2);
const isReal = ['--crash', '--kills', '--freezes'].some((mode) => args.includes(mode));
const bundle = child ?? (await bundleScript(`e2e/robustness/${isReal ? 'crash' : 'simulation'}/main.ts`));
const seeds = Number(option('seeds') ?? 0);
const processes = Math.min(availableParallelism(), Math.floor(seeds / SEEDS_A_PROCESS));
if (child === undefined && processes > 1) process.exit(await share());
const { main } = await import(pathToFileURL(bundle).href);
process.exit(await main(args));

function option(name) {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}

/** Runs the seeds in ranges, a process each; a multiple of four keeps the seeds of one scenario together. */
async function share() {
  const from = Number(option('from') ?? 1);
  const each = Math.ceil(seeds / processes / 4) * 4;
  const ranges = Array.from({ length: processes }, (_, index) => ({
    first: from + index * each,
    count: Math.min(each, seeds - index * each),
  }));
  const results = await Promise.all(ranges.filter(({ count }) => count > 0).map(run));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return results.every(({ status }) => status === 0) ? 0 : 1;
}

/** What a process prints passes through, but for its last line. */
function run({ first, count }) {
  const faults = option('faults');
  const given = [
    '--seeds',
    String(count),
    '--from',
    String(first),
    ...(faults === undefined ? [] : ['--faults', faults]),
  ];
  const started = spawn(process.execPath, [process.argv[1], ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BRAVO_SIMULATE: bundle },
  });
  const result = { passed: 0, failed: 0, status: 1 };
  let rest = '';
  started.stdout.setEncoding('utf8');
  started.stdout.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const counts = /^(\d+) passed, (\d+) failed$/.exec(line);
      if (counts === null) console.log(line);
      else Object.assign(result, { passed: Number(counts[1]), failed: Number(counts[2]) });
    }
  });
  return new Promise((resolve) => {
    started.on('close', (status) =>
      resolve({ ...result, failed: status === 0 ? 0 : Math.max(1, result.failed), status }),
    );
  });
}
