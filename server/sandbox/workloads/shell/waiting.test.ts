import { describe, expect, it } from 'vitest';
import { stringAt } from '@/lib/json/json';
import { TestCluster } from '../../testing/test-cluster';
import { resources } from '../core/resources';

const WAITS_FOR_A_PROGRAM = 'until [ "$(ask-server --state | head -n 1)" = ready ]; do sleep 5; done; echo over';

/** A pod that runs a script for a minute and a half: its phase and its log. */
async function played(script: string, spec: { restartPolicy: string; isInit?: boolean }) {
  const cluster = new TestCluster();
  const app = { name: 'app', image: 'server:1', command: ['sh', '-c', script] };
  const containers =
    spec.isInit === true
      ? { initContainers: [{ ...app, name: 'init' }], containers: [{ name: 'app', image: 'server:1' }] }
      : { containers: [app] };
  cluster.create(resources.pods, {
    metadata: { name: 'p', namespace: 'demo' },
    spec: { restartPolicy: spec.restartPolicy, ...containers },
  });
  await cluster.advance(90_000);
  let log = '';
  const container = spec.isInit === true ? 'init' : 'app';
  for await (const chunk of cluster.workloads.podConsole.log({ namespace: 'demo', pod: 'p', container })) {
    log += new TextDecoder().decode(chunk);
  }
  return { phase: stringAt(cluster.get(resources.pods, 'p'), 'status', 'phase'), log };
}

describe('a script that asks the same again and again', () => {
  it('counts as done in a pod that has to end, when it calls only simulated programs', async () => {
    const { phase, log } = await played(WAITS_FOR_A_PROGRAM, { restartPolicy: 'OnFailure' });
    expect(phase).toBe('Succeeded');
    expect(log).toContain(
      'simulated by the Bravo sandbox: "ask-server --state" gives no answer, so the script ends here as done\n',
    );
    expect(log).not.toContain('over');
  });

  it('counts as done when it asks a server, and where it would give up', async () => {
    const asks = 'curl -s http://shop/state | grep -q "all is well"';
    const forEver = `while ! ${asks}; do echo waiting; sleep 3; done`;
    const forAWhile = `for i in $(seq 1 30); do ${asks} && exit 0; sleep 2; done; exit 1`;
    expect((await played(forEver, { restartPolicy: 'Never' })).phase).toBe('Succeeded');
    expect((await played(forAWhile, { restartPolicy: 'Never' })).phase).toBe('Succeeded');
  });

  it('lets the containers start that wait behind it', async () => {
    const { phase, log } = await played(WAITS_FOR_A_PROGRAM, { restartPolicy: 'Always', isInit: true });
    expect(phase).toBe('Running');
    expect(log).toContain('the script ends here as done\n');
  });

  it('goes on in a pod that stays', async () => {
    const { phase, log } = await played(WAITS_FOR_A_PROGRAM, { restartPolicy: 'Always' });
    expect(phase).toBe('Running');
    expect(log).not.toContain('ends here as done');
  });

  it('goes on while its calls differ, are few, or are of real programs', async () => {
    for (const script of [
      'for i in 1 2 3 4 5 6 7; do make-user "user-$i"; sleep 1; done; echo over',
      'for i in 1 2 3; do ask-server; sleep 1; done; echo over',
      'for i in 1 2 3 4 5 6 7; do echo tick; sleep 1; done; echo over',
    ]) {
      const { phase, log } = await played(script, { restartPolicy: 'Never' });
      expect([phase, log.endsWith('over\n')]).toEqual(['Succeeded', true]);
    }
  });
});
