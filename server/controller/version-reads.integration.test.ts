import { expect, it } from 'vitest';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, oneStep } from '@/test/operators/templates';

it('reads an OperatorVersion once for all Instances that wait for their first plan', async () => {
  const engine = await startVirtualEngine();
  const lab = await Lab.open(engine, 'many');
  const templates = { 'c.yaml': configMap('{{ .Name }}') };
  const version = await lab.operator('many', oneStep([apply('a', 'c.yaml')], { templates }));
  const names = Array.from({ length: 30 }, (_, index) => `many-${index}`);
  for (const name of names) await lab.create(name, version);
  await engine.startController();
  for (const name of names) await lab.ends(name, 'deploy');
  const reads = engine.calls.filter(({ path }) => path.endsWith(`/operatorversions/${version}`));
  expect(reads).toHaveLength(1);
  await engine.stop();
});
