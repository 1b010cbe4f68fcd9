import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { codeOf } from '@/server/kube/errors';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import { createNamespace, eventually, getInstance, patchInstance } from '@/test/engine/https-engine';
import { freePort, type Running, startNode } from '@/test/programs/process';
import { bindAccount, createAccount, kubeconfigWith, tokenOf } from './account';
import { bravo } from './bravo';
import { cleanUp } from './clean-up';
import { signIn, startConsole, statusOf, userOf } from './console';
import { type Context, initWords } from './context';
import { deploy, INSTANCE, uninstall, update } from './plans';
import { Skipped } from './report';
import { checkRoles } from './roles';
import { checkSteering } from './steering';
import { checkTerminal } from './terminal';

/** All checks in their order; what they made is deleted whatever happens. */
export async function runChecks(context: Context): Promise<void> {
  const { report } = context;
  try {
    if (!(await report.check('nothing of Bravo is installed', () => isFree(context)))) return;
    if (!(await report.check('install: bravo init --console', () => install(context)))) return;
    if (!(await report.check('a controller leads', () => startController(context)))) return;
    await report.check('bravo init --verify', () => verify(context));
    await checkPlans(context);
    await report.check('the webhook refuses an edit that is not allowed', () => checkWebhook(context));
    await checkSteering(context);
    await checkRoles(context);
    await checkSignIn(context);
    await report.check('uninstall: objects of a deleted Instance are deleted', () =>
      uninstall(context.api, context.work),
    );
  } finally {
    if (!context.keep) await report.check('removal', () => cleanUp(context, bravo));
  }
}

/** Without an image there are no Deployments to verify. */
async function verify(context: Context): Promise<void> {
  const words = [...initWords(context), '--verify'];
  await bravo(context.image === undefined ? words.filter((word) => word !== '--console') : words);
}

/** Another installation would act upon the same Instances. */
async function isFree({ api }: Context): Promise<void> {
  const { items } = await api.list({ ...INSTANCES }).catch((error: unknown) => {
    if (codeOf(error) === 404) return { items: [] };
    throw error;
  });
  if (items.length > 0) throw new Error(`${items.length} Instances exist; use a cluster without KUDO and Bravo`);
}

async function install(context: Context): Promise<void> {
  for (const name of [context.home, context.work]) await createNamespace(context.api, name);
  await bravo(initWords(context));
}

async function startController(context: Context): Promise<string> {
  const { api, cluster, image, home } = context;
  if (image === undefined) {
    const kubeconfig = await kubeconfigWith(cluster, await tokenOf(api, home, 'kudo-manager'), home);
    const words = ['controller', '--kubeconfig', kubeconfig, '--lease-namespace', home];
    context.started.push(
      startNode(['bin/bravo', ...words], { BRAVO_METRICS_PORT: 'off', BRAVO_HEALTH_PORT: String(await freePort()) }),
    );
  }
  const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: home };
  const holder = await eventually(
    `a controller holds a lease in ${home}: ${lastWords(context.started)}`,
    async () => {
      const { items } = await api.list(leases);
      return items
        .map((lease) => stringAt(lease, 'spec', 'holderIdentity'))
        .find((name) => name !== undefined && name !== '');
    },
    180_000,
  );
  return `${holder}, ${image === undefined ? 'on this machine' : 'in the cluster'}`;
}

function lastWords(started: readonly Running[]): string {
  return started.map((running) => running.output().slice(-500)).join('\n');
}

async function checkPlans({ report, api, work }: Context): Promise<void> {
  await report.check('plan deploy', () => deploy(api, work));
  await report.check('an edit runs plan update', () => update(api, work));
}

const OTHER = 'something else';

async function checkWebhook({ api, work }: Context): Promise<void> {
  const found = await api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
  if (found === undefined) throw new Skipped('the API server cannot call this machine, so no webhook is registered');
  const edit = patchInstance(api, work, INSTANCE, { parameters: { FIXED: OTHER } });
  const refusal = await edit.then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (refusal === undefined) throw new Error('an edit of an immutable parameter was stored');
  const instance = await getInstance(api, work, INSTANCE);
  // The default of an immutable parameter is stored with the Instance.
  if (instance?.spec?.parameters?.FIXED === OTHER) throw new Error('the refused edit was stored');
}

const PEOPLE = { reader: 'view', editor: 'admin' } as const;

async function checkSignIn(context: Context): Promise<void> {
  const { report, api, cluster, home, work } = context;
  for (const [name, role] of Object.entries(PEOPLE)) {
    await createAccount(api, work, name);
    await bindAccount(api, work, name, role);
  }
  const console = await startConsole(await kubeconfigWith(cluster, await tokenOf(api, home, 'bravo-console'), home));
  context.started.push(console.running);
  let cookies: string | undefined;
  await report.check('sign-in with a token', async () => {
    const token = await tokenOf(api, work, 'reader');
    cookies = await signIn(console, token);
    const user = await userOf(console, cookies);
    if (user !== `system:serviceaccount:${work}:reader`) throw new Error(`the console says ${user}`);
    return user;
  });
  await report.check('a wrong token is refused, and nobody reads without one', async () => {
    const isRefused = await signIn(console, 'wrong').then(
      () => false,
      (error: unknown) => {
        if (error instanceof Skipped) throw error;
        return true;
      },
    );
    if (!isRefused) throw new Error('the console accepts a token that is none');
    const status = await statusOf(console, '', `/api/v1/namespaces/${work}/pods`);
    if (status !== 401) throw new Error(`a request without a session is answered with ${status}`);
  });
  await report.check('rights: a person reads what the cluster lets them, and no more', async () => {
    if (cookies === undefined) throw new Skipped('nobody is signed in');
    const statuses = [
      await statusOf(console, cookies, `/api/v1/namespaces/${work}/pods`),
      await statusOf(console, cookies, `/api/v1/namespaces/${work}/secrets`),
      await statusOf(console, cookies, `/api/v1/namespaces/${home}/pods`),
    ];
    if (statuses.join() !== '200,403,403') throw new Error(`statuses ${statuses.join()} instead of 200,403,403`);
  });
  await checkTerminal(context, console);
}
