import { X509Certificate } from 'node:crypto';
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

describe.each(['1.0.0', '1.1.0', '1.2.0'])('etcd %s', (operatorVersion) => {
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
      'clear clear-load',
      'load run-load',
      'stop stop-nodes',
      'first scripts',
      'first nodes',
      'volumes remove-others',
      'others scripts',
      'others nodes',
      'clear clear-password',
      'clear next-password',
      'password set-password',
    ]);
    const claims = tasks
      .filter(({ task }) => task.kind === 'Delete')
      .flatMap((task) => objectsOf([task], 'PersistentVolumeClaim'));
    expect(claims.map(({ metadata }) => metadata.name)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `data-i-${n}`));
  });

  it('exchanges the data of a member only in the step of a restore that starts the first one', async () => {
    const steps: string[] = [];
    for (const [plan, tasks] of await plansOf(operatorVersion)) {
      for (const task of tasks) {
        const start = stringAt(objectsOf([task], 'ConfigMap')[0], 'data', 'start.sh') ?? '';
        if (start.includes('/data/restored')) steps.push(`${plan}/${task.phase}/${task.step}`);
      }
    }
    expect(steps).toEqual(['restore/start/first']);
  });

  it('needs rclone only for S3 and for encryption, and a volume for backups only without S3', async () => {
    const backup = async (parameters: { [name: string]: string }) => {
      const tasks = (await plansOf(operatorVersion, parameters)).get('backup') ?? [];
      const pod = ['template', 'spec'] as const;
      const [job] = objectsOf(tasks, 'Job').slice(-1);
      const image = stringAt(arrayAt(job?.spec, ...pod, 'containers')[0], 'image');
      const volumes = arrayAt(job?.spec, ...pod, 'volumes').map((volume) => stringAt(volume, 'name'));
      const claims = objectsOf(tasks, 'PersistentVolumeClaim').length;
      return { image, claims, volumes: volumes.slice(6) };
    };
    const rclone = 'rclone/rclone:1.68';
    expect(await backup({})).toEqual({ image: 'busybox:1.37.0-musl', claims: 1, volumes: ['backups'] });
    expect(await backup({ encryption_secret: 'key' })).toEqual({
      image: rclone,
      claims: 1,
      volumes: ['backups', 'encryption'],
    });
    expect(await backup({ backup_target: 's3' })).toEqual({ image: rclone, claims: 0, volumes: ['s3'] });
  });

  it('shows clients a password only after root has it', async () => {
    const tasks = (await plansOf(operatorVersion, { password: 'p' })).get('password') ?? [];
    expect(tasks.map(({ task }) => task.name)).toEqual([
      'scripts',
      'clear-password',
      'next-password',
      'set-password',
      'connection',
    ]);
  });

  it('names every member in a generated certificate, and serves nothing without TLS then', async () => {
    const tasks = (await plansOf(operatorVersion, { tls: 'generated' })).get('deploy') ?? [];
    const [secret] = objectsOf(tasks, 'Secret');
    expect(secret?.metadata.name).toBe('i-tls');
    const certificate = new X509Certificate(stringAt(secret, 'stringData', 'tls.crt') ?? '');
    for (const name of ['i.n.svc', 'i-0.i-members.n.svc', 'i-6.i-members.n.svc.cluster.local', 'localhost'])
      expect(certificate.checkHost(name), name).toBe(name);
    const start = objectsOf(tasks, 'ConfigMap').map((object) => stringAt(object, 'data', 'start.sh') ?? '');
    expect(start.join('')).not.toContain('http://');
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
