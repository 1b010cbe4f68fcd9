import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { OPERATOR_UPGRADES, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import {
  createInstance,
  createNamespace,
  createOperator,
  type Engine,
  eventually,
  planEnds,
  startEngine,
} from '@/test/engine/https-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';
import { CONFIGURATION_NAME, CONFIGURATIONS } from './registration';

const NS = 'waves';
let engine: Engine;

beforeAll(async () => {
  engine = await startEngine({ webhook: true });
  await createNamespace(engine.api, NS);
  const operator = oneStep([apply('note', 'note.yaml')], { templates: { 'note.yaml': configMap('{{ .Name }}-note') } });
  const version = await createOperator(engine.api, NS, 'tide', operator);
  await eventually('the webhook is registered', () => engine.api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME }));
  for (const name of ['ebb', 'flood']) {
    await createInstance(engine.api, NS, name, version);
    await planEnds(engine.api, NS, name, { plan: 'deploy' });
  }
});
afterAll(() => engine?.stop());

it('starts a plan once on each Instance, although the webhook gives runs a uid', async () => {
  const target = { ...OPERATOR_UPGRADES, namespace: NS };
  await engine.api.create(target, {
    apiVersion: 'bravo.kudo.dev/v1alpha1',
    kind: 'OperatorUpgrade',
    metadata: { name: 'again', namespace: NS },
    spec: { operator: 'tide', plan: 'deploy', instances: ['ebb', 'flood'], waveSize: 1 },
  });
  await eventually('both are done', async () => {
    const upgrade = (await engine.api.get({ ...target, name: 'again' })) as OperatorUpgrade;
    return upgrade.status?.phase === 'Complete';
  });
  const { items } = await engine.api.list({ ...PLAN_RUNS, namespace: NS });
  const causes = (items as PlanRun[]).map(({ spec }) => `${spec?.instanceName} ${spec?.cause}`).sort();
  expect(causes).toEqual(['ebb Create', 'ebb Waves', 'flood Create', 'flood Waves']);
});
