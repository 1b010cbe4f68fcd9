import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDraft } from '@/lib/workshop/check-draft';
import { renderDraft } from '@/lib/workshop/render-draft';
import { projectRoot } from '@/test/programs/process';
import { type Figure, figure, percentile } from './figure';

const TEMPLATES = 40;
const KEYS = 40;
const GOAL_MS = 150;

/** What the workshop does after a key, of rabbitmq with 40 templates: the verification (until the verdict), then the rendering of its plan deploy. */
export async function run(): Promise<Figure[]> {
  const files = largePackage();
  const [edited = ''] = [...files.keys()].reverse();
  const renderings = new Map();
  const checks: number[] = [];
  const plans: number[] = [];
  for (let key = 0; key < KEYS; key++) {
    files.set(edited, `${files.get(edited)}#`);
    const begin = performance.now();
    const version = checkDraft(files, renderings).objects?.operatorVersion;
    const checked = performance.now();
    if (version === undefined) throw new Error('The package cannot be read.');
    renderDraft(version, { plan: 'deploy', instance: 'db', namespace: 'demo', parameters: {} });
    checks.push(checked - begin);
    plans.push(performance.now() - checked);
  }
  return [
    figure('workshop-verify-p95', percentile(checks, 95), 'ms', { atMost: GOAL_MS }),
    { name: 'workshop-verify-median', value: Math.round(percentile(checks, 50)), unit: 'ms' },
    { name: 'workshop-render-median', value: Math.round(percentile(plans, 50)), unit: 'ms' },
  ];
}

/** rabbitmq, its templates again under other names until there are 40. */
function largePackage(): Map<string, string> {
  const folder = join(projectRoot, 'operators/rabbitmq/1.1.0');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  const templates = [...files].filter(([path]) => path.startsWith('templates/'));
  for (let number = templates.length; number < TEMPLATES; number++) {
    const [path = '', text = ''] = templates[number % templates.length] ?? [];
    files.set(path.replace('.yaml', `-${number}.yaml`), text);
  }
  return files;
}
