import { systemClock } from '@/lib/clock/clock';
import { isJsonObject } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { type Instance, KUDO_API_VERSION, type OperatorVersionSpec } from '@/lib/kudo/types';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type Cache, startCache } from '@/server/kube/cache';
import { silentLog } from '@/server/log/log';
import { createNamespace, createOperator } from '@/test/engine/https-engine';

export const NAMESPACE = 'plans';
const PARALLEL = 20;

/** One phase of three serial steps, each with a task that applies two ConfigMaps. */
export const benchOperator: OperatorVersionSpec = {
  version: '1.0',
  parameters: [{ name: 'VALUE', default: 'v0' }],
  templates: Object.fromEntries(
    ['1a', '1b', '2a', '2b', '3a', '3b'].map((name) => [
      `${name}.yaml`,
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Name }}-${name}\ndata:\n  value: "{{ .Params.VALUE }}"\n  step: "${name}"\n`,
    ]),
  ),
  tasks: ['1', '2', '3'].map((step) => ({
    name: step,
    kind: 'Apply',
    spec: { resources: [`${step}a.yaml`, `${step}b.yaml`] },
  })),
  plans: {
    deploy: {
      strategy: 'serial',
      phases: [
        { name: 'main', strategy: 'serial', steps: ['1', '2', '3'].map((step) => ({ name: step, tasks: [step] })) },
      ],
    },
  },
};

/** What happens to Instances and their objects, with the time at which this process received the event. */
export class Observer {
  private readonly instances: Cache;
  private readonly configMaps: Cache;
  private readonly waiters = new Set<() => void>();

  constructor(api: Api) {
    const options = { clock: systemClock, random: systemRandom, log: silentLog };
    this.instances = startCache(api, { ...INSTANCES, namespace: NAMESPACE }, options);
    const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: NAMESPACE };
    this.configMaps = startCache(api, configMaps, options);
    for (const cache of [this.instances, this.configMaps]) {
      cache.onChange(() => {
        for (const look of [...this.waiters]) look();
      });
    }
  }

  get synced(): Promise<unknown> {
    return Promise.all([this.instances.synced, this.configMaps.synced]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.instances.stop(), this.configMaps.stop()]);
  }

  /** The time at which all deploy plans of the named Instances were COMPLETE with that value. */
  complete(names: readonly string[], value?: string): Promise<number> {
    const left = new Set(names);
    return this.when(`${names.length} plans are COMPLETE`, () => {
      for (const name of left)
        if (isDone(this.instances.get(NAMESPACE, name) as Instance | undefined, value)) left.delete(name);
      return left.size === 0;
    });
  }

  /** The time at which the first object of an Instance had that value. */
  firstObject(name: string, value: string): Promise<number> {
    return this.when(`${name}-1a has the value ${value}`, () => {
      const data = this.configMaps.get(NAMESPACE, `${name}-1a`)?.data;
      return isJsonObject(data) && data.value === value;
    });
  }

  /** The time at which the first object of an Instance was deleted; call it before the deletion. */
  deleted(name: string): Promise<number> {
    return this.when(`${name}-1a is deleted`, () => this.configMaps.get(NAMESPACE, `${name}-1a`) === undefined);
  }

  /** How many ConfigMaps of Instances there are. */
  get objects(): number {
    return this.configMaps.list().filter(({ metadata }) => /-[123][ab]$/.test(metadata.name ?? '')).length;
  }

  private when(what: string, isSo: () => boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(look);
        reject(new Error(`not within ten minutes: ${what}`));
      }, 600_000);
      const look = () => {
        if (!isSo()) return;
        clearTimeout(timer);
        this.waiters.delete(look);
        resolve(performance.now());
      };
      this.waiters.add(look);
      look();
    });
  }
}

function isDone(object: Instance | undefined, value: string | undefined): boolean {
  const isIdle = (object?.spec?.planExecution?.planName ?? '') === '';
  const isWanted = value === undefined || object?.spec?.parameters?.VALUE === value;
  return isIdle && isWanted && object?.status?.planStatus?.deploy?.status === 'COMPLETE';
}

export async function installOperator(api: Parameters<typeof createNamespace>[0]): Promise<string> {
  await createNamespace(api, NAMESPACE);
  return createOperator(api, NAMESPACE, 'six', benchOperator);
}

/** Creates Instances, twenty at a time. */
export async function createInstances(api: Api, operatorVersion: string, names: readonly string[]): Promise<void> {
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      await api.create(
        { ...INSTANCES, namespace: NAMESPACE },
        {
          apiVersion: KUDO_API_VERSION,
          kind: 'Instance',
          metadata: { name, namespace: NAMESPACE, labels: { 'kudo.dev/operator': 'six' } },
          spec: { operatorVersion: { name: operatorVersion } },
        },
      );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** A client reads before it edits. */
export async function fetchInstance(api: Api, name: string): Promise<void> {
  await api.get({ ...INSTANCES, namespace: NAMESPACE, name });
}

export async function setValue(api: Api, name: string, value: string): Promise<void> {
  const patch = { spec: { parameters: { VALUE: value } } };
  await api.patch({ ...INSTANCES, namespace: NAMESPACE, name }, 'merge', patch);
}

export const namesOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(4, '0')}`);
