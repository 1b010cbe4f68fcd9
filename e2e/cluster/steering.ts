import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import type { OperatorVersionSpec } from '@/lib/kudo/types';
import { createInstance, createOperator, eventually, planEnds } from '@/test/engine/https-engine';
import { apply, configMap, deployment, plan, task } from '@/test/operators/templates';
import { bravo, refusedBravo } from './bravo';
import type { Context } from './context';

const HELD = 'held';
const MAPS = { group: '', version: 'v1', resource: 'configmaps' };

/** Its plan `hold` waits for a pod that fits on no node, so that no image is needed. */
const WAITING: OperatorVersionSpec = {
  version: '1.0.0',
  templates: {
    'nowhere.yaml': deployment('{{ .Name }}-nowhere', {
      podSpec: '      nodeSelector: {bravo.kudo.dev/e2e: no-node-has-this-label}\n',
    }),
    'after.yaml': configMap('{{ .Name }}-after'),
  },
  tasks: [task('done', 'Dummy', { done: true }), apply('nowhere', 'nowhere.yaml'), apply('after', 'after.yaml')],
  plans: {
    deploy: plan(['main', 'done']),
    hold: plan(['wait', 'nowhere'], ['after', 'after']),
    staged: {
      strategy: 'serial',
      phases: [
        { name: 'first', strategy: 'serial', steps: [{ name: 'first', tasks: ['done'] }] },
        { name: 'second', strategy: 'serial', steps: [{ name: 'second', tasks: ['after'] }] },
      ],
    },
  },
};

/** Runs, and what people do with them: explained, cancelled, paused, resumed, and kept off by a lock. */
export async function checkSteering(context: Context): Promise<void> {
  const { api, report, work } = context;
  const onCluster = ['-n', work, '--kubeconfig', context.kubeconfig];
  const words = context.context === undefined ? onCluster : [...onCluster, '--context', context.context];
  const run = `${HELD}-hold-1`;
  const hasBegun = await report.check('runs are recorded, and one that waits says why', async () => {
    await createInstance(api, work, HELD, await createOperator(api, work, 'waiting', WAITING));
    await planEnds(api, work, HELD, { plan: 'deploy' });
    await statusIs(context, `${HELD}-deploy-1`, 'COMPLETE');
    await bravo(['plan', 'trigger', '--name', 'hold', '--instance', HELD, '--reason', 'a check', ...words]);
    await statusIs(context, run, 'IN_PROGRESS');
    return eventually('the run names the pod that fits on no node', async () => {
      const said = await bravo(['run', 'explain', run, ...words]);
      return /unschedulable|node/i.test(said) ? said.trim().split('\n')[0] : undefined;
    });
  });
  if (!hasBegun) return;
  await report.check('a run is cancelled, and no further step begins', async () => {
    await bravo(['run', 'cancel', run, '--yes', ...words]);
    await statusIs(context, run, 'Cancelled');
    if (await hasRunOn(context)) throw new Error('the step after the cancelled one was run');
  });
  await report.check('a run that stops after a phase begins no step until it is resumed', async () => {
    const staged = `${HELD}-staged-1`;
    await bravo(['plan', 'trigger', '--name', 'staged', '--instance', HELD, '--stop-after', 'first', ...words]);
    await statusIs(context, staged, 'Paused');
    if (await hasRunOn(context)) throw new Error('a step began while the run was paused');
    await bravo(['run', 'resume', staged, ...words]);
    await statusIs(context, staged, 'COMPLETE');
    if (!(await hasRunOn(context))) throw new Error('the step after the pause was not run');
  });
  await report.check('a locked Instance starts no plan', async () => {
    await bravo(['lock', HELD, '--reason', 'a check', '--until', '1h', ...words]);
    const said = await refusedBravo(['plan', 'trigger', '--name', 'deploy', '--instance', HELD, ...words]);
    await bravo(['unlock', HELD, ...words]);
    if (!said.includes('locked')) throw new Error(`the refusal does not name the lock: ${said}`);
    await bravo(['plan', 'trigger', '--name', 'deploy', '--instance', HELD, '--wait', ...words]);
  });
  await report.check('runs outlive their Instance', async () => {
    await api.delete({ ...INSTANCES, namespace: work, name: HELD });
    const instance = { ...INSTANCES, namespace: work, name: HELD };
    await eventually('the Instance was deleted', async () => (await api.get(instance)) === undefined);
    await statusIs(context, run, 'Cancelled');
  });
}

/** True when the step after the one that waits was run. */
async function hasRunOn({ api, work }: Context): Promise<boolean> {
  return (await api.get({ ...MAPS, namespace: work, name: `${HELD}-after` })) !== undefined;
}

function statusIs({ api, work }: Context, name: string, wanted: string): Promise<unknown> {
  return eventually(`run ${name} is ${wanted}`, async () => {
    const run = await api.get({ ...PLAN_RUNS, namespace: work, name });
    return stringAt(run, 'status', 'status') === wanted;
  });
}
