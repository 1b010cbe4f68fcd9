import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { readConfig } from '@/server/config/config';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  lab = await Lab.open(engine, 'outage');
});
afterAll(() => engine?.stop());

/** Registers a webhook for Instances that cannot be reached. */
const register = (failurePolicy: 'Fail' | 'Ignore') =>
  engine.run(
    engine.people.create(
      { group: 'admissionregistration.k8s.io', version: 'v1', resource: 'validatingwebhookconfigurations' },
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: failurePolicy.toLowerCase() },
        webhooks: [
          {
            name: 'instance-admission.kudo.dev',
            clientConfig: { url: 'https://127.0.0.1:1/admit' },
            rules: [
              {
                apiGroups: ['kudo.dev'],
                apiVersions: ['v1beta1'],
                operations: ['CREATE', 'UPDATE'],
                resources: ['instances'],
              },
            ],
            failurePolicy,
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            timeoutSeconds: 1,
          },
        ],
      },
    ),
  );
const unregister = (failurePolicy: 'Fail' | 'Ignore') =>
  engine.run(
    engine.people.delete({
      group: 'admissionregistration.k8s.io',
      version: 'v1',
      resource: 'validatingwebhookconfigurations',
      name: failurePolicy.toLowerCase(),
    }),
  );
const spec = (name: string) =>
  oneStep([apply('a', 'c.yaml')], {
    templates: { 'c.yaml': configMap(name, '{value: "{{ .Params.V }}"}') },
    parameters: [
      { name: 'V', default: 'one' },
      { name: 'FIXED', default: 'x', immutable: true },
    ],
  });

describe('while the webhook or the controller is down', () => {
  it('ADM-61 a write of the status calls no webhook', async () => {
    await lab.create('adm61', await lab.operator('adm61', spec('adm61')));
    await register('Fail');
    await expect(lab.patch('instances', 'adm61', { spec: { parameters: { V: 'two' } } })).rejects.toThrow(
      /failed calling webhook/,
    );
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'ResourcesReady',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ];
    await lab.patch('instances', 'adm61', { status: { conditions } }, 'status');
    expect(lab.ready('adm61')?.status).toBe('True');
    await unregister('Fail');
    await lab.remove('instances', 'adm61');
  });

  it('ADM-60 (differs, T-39) with a webhook that cannot be reached, edits are stored, and the controller decides about them', async () => {
    await register('Ignore');
    await engine.startController();
    await lab.deploy('adm60', spec('adm60'));
    await lab.edit('adm60', { parameters: { V: 'two' } }, 'deploy');
    expect(lab.find('configmaps', 'adm60')?.data).toEqual({ value: 'two' });
    await lab.patch('instances', 'adm60', { spec: { parameters: { FIXED: 'y' } } });
    await engine.until('the edit is refused', () => lab.ready('adm60')?.reason === 'ChangeRefused', 60_000);
    await unregister('Ignore');
    await engine.stopController();
  });

  it('MGR-03 a plan continues under its uid after a restart of the controller', async () => {
    await engine.startController();
    await lab.create('mgr03', await lab.operator('mgr03', oneStep([task('never', 'Dummy')])));
    await lab.step('mgr03', 'deploy.main.run', 'IN_PROGRESS');
    const { uid } = lab.instance('mgr03').spec?.planExecution ?? {};
    await engine.stopController();
    await engine.startController();
    await engine.pass(10_000);
    expect(lab.instance('mgr03').spec?.planExecution?.uid).toBe(uid);
    expect(lab.instance('mgr03').status?.planStatus?.deploy).toMatchObject({ status: 'IN_PROGRESS', uid });
    expect(lab.reasons('mgr03')).toEqual(['PlanStarted']);
  });

  it('MGR-04 (differs, T-39) an edit while no controller runs is stored, and the controller acts upon it later', async () => {
    await lab.deploy('mgr04', spec('mgr04'));
    await engine.stopController();
    await lab.patch('instances', 'mgr04', { spec: { parameters: { V: 'two' } } });
    await engine.startController();
    await engine.until(
      'it is applied',
      () => stringAt(lab.find('configmaps', 'mgr04'), 'data', 'value') === 'two',
      60_000,
    );
  });
});

describe('settings', () => {
  it('an invalid setting is named and prevents the start', () => {
    expect(() => readConfig({ BRAVO_CONTROLLER: 'abc' }, '/tmp')).toThrow(
      'BRAVO_CONTROLLER: "abc" is not one of auto, on, off',
    );
  });
});
