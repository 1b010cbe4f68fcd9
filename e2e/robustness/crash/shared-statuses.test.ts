import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import type { RawRequest } from '@/server/kube/api';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, job, plan, remove, task } from '@/test/operators/templates';
import { Witness } from './witness';

/**
 * Steps that end at once share a write of the status; here the controller dies at every write of such a plan. On a virtual clock no
 * time passes, so that nothing is stored early; crash-every-write kills real processes, which are slower.
 */
const SPEC: OperatorVersionSpec = {
  parameters: [
    { name: 'V', default: 'one' },
    { name: 'ON', default: 'false' },
  ],
  templates: {
    'a.yaml': configMap('a', '{v: "{{ .Params.V }}"}'),
    'drawn.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: drawn}\nstringData: {v: "{{ .Params.V }} {{ randAlphaNum 8 }}"}\n',
    'b.yaml': configMap('b', '{v: "{{ .Params.V }}"}'),
    'a-again.yaml': configMap('a', '{v: "{{ .Params.V }}", again: "yes"}'),
    'c.yaml': configMap('c', '{v: "{{ .Params.V }}"}'),
    'j.yaml': job('j'),
    'd.yaml': configMap('d', '{v: "{{ .Params.V }}"}'),
  },
  tasks: [
    apply('a', 'a.yaml'),
    apply('drawn', 'drawn.yaml'),
    apply('b', 'b.yaml'),
    apply('a-again', 'a-again.yaml'),
    task('off', 'Toggle', { resources: ['c.yaml'], parameter: 'ON' }),
    apply('c', 'c.yaml'),
    remove('remove', 'j.yaml'),
    apply('run', 'j.yaml'),
    apply('d', 'd.yaml'),
  ],
  plans: {
    deploy: plan(
      ['one', 'a', 'drawn'],
      ['two', 'b'],
      ['three', 'a-again'],
      ['four', 'off'],
      ['five', 'c'],
      ['six', 'remove'],
      ['seven', 'run'],
      ['eight', 'd'],
    ),
  },
};

let engine: VirtualEngine;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
});
afterAll(() => engine?.stop());

const isWrite = ({ method, path }: Pick<RawRequest, 'method' | 'path'>) =>
  method !== 'GET' && !path.includes('/leases') && !path.includes('/events');

/** The life of an Instance in a namespace of its own: its first plan, and an edit, of which the controller's writes are counted. */
async function live(namespace: string, diesAfter = Number.POSITIVE_INFINITY) {
  const lab = await Lab.open(engine, namespace);
  const witness = new Witness(engine.sandbox.api, namespace);
  const before = (await lab.deploy('app', SPEC)).status?.planStatus?.deploy?.uid;
  let writes = 0;
  engine.refuse((request) => {
    if (writes >= diesAfter) return 500;
    writes += isWrite(request) ? 1 : 0;
    return undefined;
  });
  await lab.patch('instances', 'app', { spec: { parameters: { V: 'two' } } });
  if (Number.isFinite(diesAfter)) {
    await engine.until('the controller has written so often', () => writes >= diesAfter);
    await engine.stopController();
    engine.refuse(undefined);
    await engine.startController();
  }
  await lab.ends('app', 'deploy', { not: before });
  engine.refuse(undefined);
  witness.stop();
  const data = ['a', 'b', 'c', 'd'].map((name) => lab.find('configmaps', name)?.data);
  return { witness, data, writes };
}

describe('a controller that dies while steps share a write of the status', () => {
  it('leaves the same objects, written as often, after every write of an edit', async () => {
    const reference = await live('reference');
    expect(reference.writes).toBeGreaterThan(15);
    const problems: string[] = [];
    for (let write = 1; write < reference.writes; write++) {
      const { witness, data } = await live(`dies-${write}`, write);
      expect(data, `after write ${write}`).toEqual(reference.data);
      problems.push(...witness.differencesFrom(reference.witness).map((problem) => `after write ${write}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });
});
