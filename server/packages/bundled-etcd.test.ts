import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { type RenderedTask, renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { seededRandom } from '@/lib/random/random';
import { PackageCatalogue } from './catalogue';
import { prepareInstall } from './prepare-install';

const bundledDir = fileURLToPath(new URL('../../operators', import.meta.url));
const catalogue = new PackageCatalogue({ bundledDir });

/** Every plan of a version of the bundled etcd as it is rendered. */
async function plansOf(operatorVersion: string, parameters: { [name: string]: string } = {}) {
  const loaded = await catalogue.find({ name: 'etcd', operatorVersion });
  const context = { catalogue, scope: loaded.scope };
  const prepared = await prepareInstall({ loaded, context, namespace: 'n', instance: 'i', parameters });
  const version = prepared.operatorVersion;
  const render = (plan: string) =>
    renderPlan({
      operatorVersion: version,
      instance: prepared.instance,
      plan,
      uid: 'u',
      parameters: unwrapParameters(version, prepared.instance.spec?.parameters),
      scopeOf: () => 'namespaced',
      environment: { clock: { now: () => 0 }, random: seededRandom('etcd') },
    });
  return new Map(Object.keys(version.spec?.plans ?? {}).map((plan) => [plan, render(plan)]));
}

const objectsOf = (tasks: readonly RenderedTask[], kind: string) =>
  tasks.flatMap(({ rendered }) => rendered?.objects ?? []).filter((object) => object.kind === kind);

describe.each(['1.0.0', '1.1.0'])('etcd %s', (operatorVersion) => {
  it('lets members make a new cluster only in plan deploy before it is sealed', async () => {
    const steps: string[] = [];
    for (const [plan, tasks] of await plansOf(operatorVersion)) {
      for (const task of tasks) {
        const start = stringAt(objectsOf([task], 'ConfigMap')[0], 'data', 'start.sh') ?? '';
        if (start.includes('--initial-cluster-state new')) steps.push(`${plan}/${task.phase}/${task.step}`);
      }
    }
    expect(steps).toEqual(['deploy/prepare/scripts']);
  });

  it('reads a backup before a restore deletes anything, and keeps the claims of all members until the first one is healthy', async () => {
    const tasks = (await plansOf(operatorVersion)).get('restore') ?? [];
    expect(tasks.map(({ step, task }) => `${step} ${task.name}`)).toEqual([
      'clear scripts',
      'clear clear-verify',
      'clear clear-restore',
      'read run-verify',
      'stop stop-nodes',
      'load run-restore',
      'first nodes',
      'volumes remove-others',
      'others nodes',
    ]);
    const claims = tasks
      .filter(({ task }) => task.kind === 'Delete')
      .flatMap((task) => objectsOf([task], 'PersistentVolumeClaim'));
    expect(claims.map(({ metadata }) => metadata.name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `data-i-${n}`));
    const [verify] = objectsOf(
      tasks.filter(({ task }) => task.name === 'run-verify'),
      'Job',
    );
    const volumes = arrayAt(verify?.spec, 'template', 'spec', 'volumes');
    const mounted = volumes.map((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName'));
    expect(mounted.filter((claim) => claim !== undefined)).toEqual(['i-backups']);
  });

  it('runs Jobs only with the scripts of its own version', async () => {
    for (const [plan, tasks] of await plansOf(operatorVersion)) {
      const names = tasks.map(({ task }) => task.name);
      const first = names.findIndex((name) => name.startsWith('run-'));
      if (first >= 0) expect(names.slice(0, first), plan).toContain('scripts');
    }
  });

  it('runs the image that a parameter names, in its own version of etcd', async () => {
    const image = 'registry.k8s.io/etcd:{version}-0';
    const tasks = (await plansOf(operatorVersion, { image })).get('deploy') ?? [];
    const [set] = objectsOf(tasks, 'StatefulSet');
    const containers = arrayAt(set?.spec, 'template', 'spec', 'containers');
    expect(stringAt(containers[0], 'image')).toMatch(/^registry\.k8s\.io\/etcd:3\.5\.\d+-0$/);
  });
});
