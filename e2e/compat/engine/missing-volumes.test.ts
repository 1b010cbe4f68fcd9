import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extraConditionOf } from '@/lib/kudo/plan/conditions';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, deployment, oneStep, pod, statefulSet } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'volumes');
});
afterAll(() => engine?.stop());

const message = (name: string) => lab.stepNow(name, 'deploy.main.run')?.message;
const eventLists = () => engine.calls.filter(({ method, path }) => method === 'GET' && path.includes('/events?'));

/** Deploys one object whose pods mount a missing object. */
async function deploy(name: string, template: string): Promise<void> {
  const spec = oneStep([apply('a', 'x.yaml')], { templates: { 'x.yaml': template } });
  await lab.create(name, await lab.operator(name, spec));
}

describe('the step says which volume a pod cannot mount:', () => {
  it.each<[string, (podSpec: string) => string, string, RegExp]>([
    [
      'the Secret of a StatefulSet',
      (podSpec) => statefulSet('web', { podSpec, replicas: 3 }),
      'secret: {secretName: gone}',
      /^StatefulSet web: 0 of 3 ready; pod web-0: FailedMount: MountVolume.SetUp failed for volume "v" : secret "gone" not found$/,
    ],
    [
      'a ConfigMap of a Deployment',
      (podSpec) => deployment('app', { podSpec }),
      'projected: {sources: [{configMap: {name: gone}}]}',
      /^Deployment app: 0 of 1 available; pod app-\w+-\w+: FailedMount: .*configmap "gone" not found$/,
    ],
    [
      'the Secret of a Pod',
      (podSpec) => `${pod('alone')}${podSpec.slice(4)}`,
      'secret: {secretName: gone}',
      /^Pod alone: is Pending; pod alone: FailedMount: .*secret "gone" not found$/,
    ],
    [
      'a claim',
      (podSpec) => statefulSet('db', { podSpec }),
      'persistentVolumeClaim: {claimName: gone}',
      /^StatefulSet db: 0 of 1 ready; pod db-0: Unschedulable: .*persistentvolumeclaim "gone" not found/,
    ],
  ])('%s', async (what, template, source, sentence) => {
    const name = what.replaceAll(' ', '-').toLowerCase();
    await deploy(name, template(`      volumes: [{name: v, ${source}}]\n`));
    await engine.pass(30_000);
    expect(message(name)).toMatch(sentence);
    await engine.pass(90_000);
    expect(extraConditionOf(lab.instance(name), 'Stalled')?.reason).toBe('ResourceNotReady');
  });

  it('no longer when the Secret exists', async () => {
    await deploy('late', statefulSet('late', { podSpec: '      volumes: [{name: v, secret: {secretName: late}}]\n' }));
    await engine.pass(30_000);
    expect(message('late')).toContain('secret "late" not found');
    await lab.put('secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'late' } });
    await lab.ends('late', 'deploy');
  });

  it('and events are read only while a pod does not start', async () => {
    const before = eventLists().length;
    await lab.deploy('well', oneStep([apply('a', 'x.yaml')], { templates: { 'x.yaml': statefulSet('well') } }));
    const image = oneStep([apply('a', 'x.yaml')], {
      templates: { 'x.yaml': deployment('no-image', { image: 'nonexistent' }) },
    });
    await lab.create('no-image', await lab.operator('no-image', image));
    await engine.pass(60_000);
    expect(message('no-image')).toContain('ImagePullBackOff');
    const asked = eventLists().slice(before);
    expect(asked.filter(({ path }) => /well|no-image/.test(path))).toEqual([]);
  });
});
