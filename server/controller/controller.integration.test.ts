import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  planEnds,
  startEngine,
} from '@/e2e/support/engine-fixture';
import type { OperatorVersionSpec } from '@/lib/kudo/types';

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`;

const simple: OperatorVersionSpec = {
  templates: { 'config.yaml': configMap('{{ .Name }}-config', '{{ .Params.VALUE }}') },
  tasks: [{ name: 'config', kind: 'Apply', spec: { resources: ['config.yaml'] } }],
  parameters: [{ name: 'VALUE', default: 'one' }],
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [{ name: 'main', strategy: 'serial', steps: [{ name: 'all', tasks: ['config'] }] }],
    },
  },
};

describe('the controller', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'demo');
  });
  afterAll(() => engine.stop());

  it('runs the deploy plan of a new Instance to its end', async () => {
    const { api } = engine;
    const version = await createOperator(api, 'demo', 'simple', simple);
    await createInstance(api, 'demo', 'first', version);
    const instance = await planEnds(api, 'demo', 'first', { plan: 'deploy' });
    const made = await api.get({
      group: '',
      version: 'v1',
      resource: 'configmaps',
      namespace: 'demo',
      name: 'first-config',
    });
    expect(made?.data).toEqual({ value: 'one' });
    expect(instance.spec?.planExecution).toEqual({});
  });
});
