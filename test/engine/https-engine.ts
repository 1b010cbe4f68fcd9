import { systemClock } from '@/lib/clock/clock';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import { type ExecutionStatus, type Instance, KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import { seededRandom, systemRandom } from '@/lib/random/random';
import { DEFAULT_NOTICES } from '@/server/config/notices';
import { readWebhookSettings } from '@/server/config/webhook';
import { type Controller, startController } from '@/server/controller/controller';
import type { Target } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { silentLog } from '@/server/log/log';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { runController } from '@/server/workers/run-controller';

/** A sandbox over HTTPS with KUDO's CRDs and a controller beside it, with or without its webhook, for tests of whole plans. */
export interface Engine {
  readonly sandbox: Sandbox;
  readonly api: ClosableApi;
  readonly controller: Controller;
  /** Stops the controller and starts another one. */
  restartController(): Promise<void>;
  stopController(): Promise<void>;
  stop(): Promise<void>;
}

export async function startEngine(
  options: { podDelayMs?: number; controller?: boolean; webhook?: boolean; allowLocal?: boolean } = {},
): Promise<Engine> {
  const sandbox = await startSandbox({
    port: 0,
    mode: 'full',
    podDelayMs: options.podDelayMs ?? 0,
    clock: systemClock,
    random: systemRandom,
    reportBug: (error) => console.error('sandbox bug', error),
  });
  const api = createApi(clusterOf(sandbox), { clock: systemClock });
  await installCrds(api, systemClock);
  const notices = { ...DEFAULT_NOTICES, allowLocal: options.allowLocal === true };
  const start = () =>
    options.webhook === true
      ? runController({
          ...controllerOptions(api),
          notices,
          cluster: clusterOf(sandbox),
          webhook: readWebhookSettings({}),
        })
      : startController({ ...controllerOptions(api), notices });
  let controller = options.controller === false ? undefined : await start();
  return {
    sandbox,
    api,
    get controller() {
      if (controller === undefined) throw new Error('no controller runs');
      return controller;
    },
    async restartController() {
      await controller?.stop();
      controller = await start();
    },
    async stopController() {
      await controller?.stop();
      controller = undefined;
    },
    async stop() {
      await controller?.stop();
      await api.close();
      await sandbox.stop();
    },
  };
}

let controllers = 0;

/** Each controller has its own seed, as each process has its own random numbers: a new one must not generate the same uids again. */
export function controllerOptions(api: ClosableApi) {
  controllers += 1;
  const log = { ...silentLog, error: (event: string, fields?: object) => console.error(event, fields) };
  return { api, clock: systemClock, random: seededRandom(`controller ${controllers}`), log, identity: 'test' };
}

export function clusterOf(sandbox: Sandbox) {
  const token = /token: (\S+)/.exec(sandbox.kubeconfig)?.[1] ?? '';
  return plainCluster({ server: sandbox.url, ca: sandbox.caPem, token });
}

export async function createNamespace(api: ClosableApi, name: string): Promise<void> {
  await api.create(
    { group: '', version: 'v1', resource: 'namespaces' },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  );
}

/** Creates an Operator and its OperatorVersion `NAME-VERSION` in a namespace. */
export async function createOperator(
  api: ClosableApi,
  namespace: string,
  name: string,
  spec: OperatorVersionSpec,
): Promise<string> {
  const version = spec.version ?? '0.1.0';
  const operator: Target = { ...OPERATORS, namespace, name };
  if ((await api.get(operator)) === undefined) {
    await api.create(operator, {
      apiVersion: KUDO_API_VERSION,
      kind: 'Operator',
      metadata: { name, namespace },
      spec: {},
    });
  }
  const fullName = `${name}-${version}`;
  await api.create(
    { ...OPERATOR_VERSIONS, namespace },
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'OperatorVersion',
      metadata: { name: fullName, namespace },
      spec: { ...spec, version, operator: { name } },
    },
  );
  return fullName;
}

/** What an Instance is made of; `version` is the name of the OperatorVersion. */
export interface InstanceSource {
  readonly version: string;
  readonly parameters: { readonly [name: string]: string };
}

/** @param source the name of the OperatorVersion, alone or with parameters */
export async function createInstance(
  api: ClosableApi,
  namespace: string,
  name: string,
  source: string | InstanceSource,
): Promise<Instance> {
  const { version, parameters } = typeof source === 'string' ? { version: source, parameters: {} } : source;
  return (await api.create(
    { ...INSTANCES, namespace },
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      metadata: { name, namespace },
      spec: { operatorVersion: { name: version }, parameters },
    },
  )) as Instance;
}

export async function getInstance(api: ClosableApi, namespace: string, name: string): Promise<Instance | undefined> {
  return (await api.get({ ...INSTANCES, namespace, name })) as Instance | undefined;
}

/** Confirms one start of a plan that deletes or replaces data. */
export function confirmPlan(api: ClosableApi, namespace: string, name: string, plan: string): Promise<unknown> {
  const annotations = { [CONFIRM_ANNOTATION]: confirmationText(plan, name) };
  return api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata: { annotations } });
}

export function patchInstance(api: ClosableApi, namespace: string, name: string, spec: object): Promise<unknown> {
  return api.patch({ ...INSTANCES, namespace, name }, 'merge', { spec } as never);
}

/** Waits until `ask` returns a value; calls it every 20 ms. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > endMs) throw new Error(`not within ${withinMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until a plan has that status, under another uid than `notUid`, and the Instance is idle. */
export function planEnds(
  api: ClosableApi,
  namespace: string,
  name: string,
  expected: { plan: string; status?: ExecutionStatus; notUid?: string | undefined },
): Promise<Instance> {
  const { plan, status = 'COMPLETE', notUid } = expected;
  let last: Instance | undefined;
  const ended = eventually(`plan ${plan} of ${name} is ${status}`, async () => {
    const instance = await getInstance(api, namespace, name);
    last = instance;
    const found = instance?.status?.planStatus?.[plan];
    const isIdle = (instance?.spec?.planExecution?.planName ?? '') === '';
    return found?.status === status && found.uid !== notUid && isIdle ? instance : undefined;
  });
  return ended.catch((error: unknown) => {
    throw new Error(
      `${String(error)}: ${JSON.stringify([last?.spec, last?.status?.planStatus?.[plan], last?.status?.conditions])}`,
    );
  });
}
