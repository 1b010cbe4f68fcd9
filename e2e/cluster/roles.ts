import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import { createInstance, createOperator, eventually, planEnds } from '@/test/engine/https-engine';
import { saying, WIPE, wiping } from '@/test/operators/destructive-operator';
import { bindAccount, createAccount, kubeconfigWith, tokenOf } from './account';
import { bravo, refusedBravo } from './bravo';
import type { Context } from './context';
import { Skipped } from './report';

const WIPED = 'wiped-by';
const ROLES = ['bravo-viewer', 'bravo-user', 'bravo-admin', 'view', 'edit'] as const;
type Role = (typeof ROLES)[number];

/** What the three roles of Bravo let a person do, with an account of each. The roles of Kubernetes include them by aggregation. */
export async function checkRoles(context: Context): Promise<void> {
  const { api, report, work } = context;
  const kubeconfigs = new Map<Role, string>();
  const as = (role: Role) => ['-n', work, '--kubeconfig', kubeconfigs.get(role) ?? ''];
  const edit = (role: Role, letter: string) => ['update', '--instance', WIPED, '-p', `A=${letter}`, ...as(role)];
  const wipe = ['plan', 'trigger', '--name', 'wipe', '--instance', WIPED, '--confirm', `wipe/${WIPED}`];
  const areThere = await report.check('accounts with the roles of Bravo', async () => {
    await createInstance(api, work, WIPED, await destructiveOperator(context));
    await planEnds(api, work, WIPED, { plan: 'deploy' });
    for (const role of ROLES) kubeconfigs.set(role, await accountWith(context, role));
  });
  if (!areThere) return;
  await report.check('bravo-viewer and view read Instances and change nothing', async () => {
    for (const role of ['bravo-viewer', 'view'] as const) {
      // A cluster aggregates roles a moment after they were created.
      await eventually(`${role} reads`, () => bravo(['get', 'instances', ...as(role)]).catch(() => undefined));
      saysForbidden(await refusedBravo(edit(role, 'b')));
    }
  });
  await report.check('bravo-user and edit change parameters', async () => {
    for (const role of ['bravo-user', 'edit'] as const) await bravo(edit(role, role));
    await planEnds(api, work, WIPED, { plan: 'deploy' });
  });
  await report.check('only bravo-admin starts a plan that is marked destructive', async () => {
    const webhook = await api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
    if (webhook === undefined)
      throw new Skipped('the API server cannot call this machine, so no webhook is registered');
    const said = await refusedBravo([...wipe, ...as('bravo-user')]);
    if (!said.includes('destroy')) throw new Error(`the refusal does not name the verb destroy: ${said}`);
    await bravo([...wipe, '--wait', ...as('bravo-admin')]);
  });
}

async function destructiveOperator({ api, work }: Context): Promise<string> {
  const version = await createOperator(api, work, 'wiping', wiping('1.0.0'));
  const target = { ...OPERATOR_VERSIONS, namespace: work, name: version };
  await api.patch(target, 'merge', { metadata: { annotations: saying({ wipe: WIPE }) } });
  return version;
}

/** @returns the kubeconfig of a new account with that ClusterRole in the namespace */
async function accountWith({ api, cluster, work }: Context, role: Role): Promise<string> {
  const name = `e2e-${role}`;
  await createAccount(api, work, name);
  await bindAccount(api, work, name, role);
  return kubeconfigWith(cluster, await tokenOf(api, work, name), work);
}

function saysForbidden(said: string): void {
  if (!/forbidden|may not|cannot/i.test(said))
    throw new Error(`the refusal does not say that it is forbidden: ${said}`);
}
