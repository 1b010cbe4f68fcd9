import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, remove } from '@/test/operators/templates';

const CANARY = 'canary-correct-horse-battery';
const SECOND = 'canary-second-value-staple';

const secretTemplate = `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Name }}-credentials
stringData:
  password: {{ .Params.PASSWORD | quote }}
  generated: {{ randAlphaNum 24 }}
data:
  encoded: {{ .Params.PASSWORD | b64enc }}
`;

const database: OperatorVersionSpec = {
  ...oneStep([apply('credentials', 's.yaml'), apply('server', 'd.yaml'), remove('wait', 'held.yaml')]),
  templates: {
    's.yaml': secretTemplate,
    'd.yaml': deployment('server', {
      podSpec: '      volumes: [{name: c, secret: {secretName: "{{ .Name }}-credentials"}}]\n',
    }),
    'held.yaml': configMap('held'),
  },
  parameters: [
    { name: 'PASSWORD', trigger: 'password' },
    { name: 'SIZE', default: '1' },
  ],
  plans: { deploy: plan(['run', 'credentials', 'server', 'wait']), password: plan(['change', 'credentials']) },
};

let engine: VirtualEngine;
let lab: Lab;
beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'vault');
});
afterAll(() => engine?.stop());

/** Everything that is stored but the data of Secrets and the parameters that the person wrote into the Instance. */
async function publicText(): Promise<string> {
  const { resources } = await engine.run(engine.people.discover());
  const objects = resources
    .filter(({ verbs }) => verbs.includes('list'))
    .flatMap((type) => engine.sandbox.api.list(type));
  return JSON.stringify(objects.map(withoutOwnSecrets));
}

function withoutOwnSecrets(object: KubeObject): KubeObject {
  if (object.kind === 'Secret') return { ...object, data: {} };
  if (object.kind !== 'Instance') return object;
  return { ...object, spec: { ...(isJsonObject(object.spec) ? object.spec : {}), parameters: {} } };
}

function forms(value: string): string[] {
  const encoded = Buffer.from(value).toString('base64');
  return [value, encoded, Buffer.from(encoded).toString('base64')];
}

async function expectHidden(...values: readonly string[]): Promise<void> {
  const places = { 'what is stored': await publicText(), 'the log': engine.logged.join('\n') };
  for (const [place, text] of Object.entries(places)) {
    for (const value of values.flatMap(forms)) expect(text.includes(value), `${value} in ${place}`).toBe(false);
  }
}

const generated = () => {
  const data = lab.find('secrets', 'db-credentials')?.data;
  return Buffer.from(isJsonObject(data) ? String(data.generated) : '', 'base64').toString();
};
const passwordInSecret = () => {
  const data = lab.find('secrets', 'db-credentials')?.data;
  return Buffer.from(isJsonObject(data) ? String(data.password) : '', 'base64').toString();
};

describe('a secret value', () => {
  it('is in no object but Secrets and in no line of the log, while its plan runs and afterwards', async () => {
    await lab.put('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'held', finalizers: ['example.org/hold'] },
    });
    await lab.create('db', await lab.operator('db', database), { PASSWORD: CANARY });
    await engine.until('the server is deployed', () => lab.find('deployments', 'server') !== undefined);
    await engine.pass(10_000);
    await expectHidden(CANARY, generated());
    await lab.patch('configmaps', 'held', { metadata: { finalizers: null } });
    await lab.ends('db', 'deploy');
    await expectHidden(CANARY, generated());
  });

  it('that is changed starts its plan, and only then', async () => {
    const before = lab.instance('db').status?.planStatus?.password?.uid;
    await lab.patch('instances', 'db', { metadata: { labels: { seen: 'yes' } } });
    await engine.pass(5_000);
    expect(lab.instance('db').status?.planStatus?.password?.uid).toBe(before);
    await lab.edit('db', { parameters: { PASSWORD: SECOND } }, 'password');
    expect(passwordInSecret()).toBe(SECOND);
    await expectHidden(CANARY, SECOND, generated());
  });

  it('that is changed while a plan runs is taken by the plan after it', async () => {
    await lab.put('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'held', finalizers: ['example.org/hold'] },
    });
    const uid = lab.instance('db').status?.planStatus?.password?.uid;
    await lab.patch('instances', 'db', { spec: { parameters: { SIZE: '2' } } });
    await lab.step('db', 'deploy.main.run', 'IN_PROGRESS');
    await lab.patch('instances', 'db', { spec: { parameters: { PASSWORD: CANARY } } });
    await engine.stopController();
    await engine.startController();
    await engine.pass(5_000);
    expect(passwordInSecret()).toBe(SECOND);
    await lab.patch('configmaps', 'held', { metadata: { finalizers: null } });
    await lab.ends('db', 'password', { not: uid });
    expect(passwordInSecret()).toBe(CANARY);
    await expectHidden(CANARY, SECOND, generated());
  });

  it('that an earlier version wrote into the record and beside its Secret is taken out of both', async () => {
    await engine.stopController();
    const record = JSON.parse(lab.instance('db').metadata.annotations?.['bravo.kudo.dev/acted-upon'] ?? '{}');
    const { format: _, fingerprints: __, ...former } = record;
    const shown = JSON.stringify({ ...former, parameters: { ...former.parameters, PASSWORD: CANARY } });
    await lab.patch('instances', 'db', { metadata: { annotations: { 'bravo.kudo.dev/acted-upon': shown } } });
    const secret = lab.find('secrets', 'db-credentials');
    const applied = JSON.parse(secret?.metadata.annotations?.['kudo.dev/last-applied-configuration'] ?? '{}');
    const open = JSON.stringify({ ...applied, stringData: { ...applied.stringData, password: CANARY } });
    const annotations = { 'kudo.dev/last-applied-configuration': open };
    await lab.patch('secrets', 'db-credentials', { metadata: { annotations } });
    const uids = Object.values(lab.instance('db').status?.planStatus ?? {}).map(({ uid }) => uid);
    await engine.startController();
    await engine.pass(5_000);
    expect(lab.instance('db').metadata.annotations?.['bravo.kudo.dev/acted-upon']).not.toContain(CANARY);
    expect(Object.values(lab.instance('db').status?.planStatus ?? {}).map(({ uid }) => uid)).toEqual(uids);
    await lab.edit('db', { planExecution: { planName: 'password' } }, 'password');
    await expectHidden(CANARY, SECOND, generated());
  });
});
