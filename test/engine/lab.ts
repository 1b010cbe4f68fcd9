import type { JsonObject } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { PLAN_RUNS, type PlanRun, type RunStatus } from '@/lib/kudo/runs/plan-run';
import { PLAN_SCHEDULES } from '@/lib/kudo/schedules/plan-schedule';
import type { ExecutionStatus, Instance, OperatorVersionSpec, StepStatus } from '@/lib/kudo/types';
import { KUDO_API_VERSION } from '@/lib/kudo/types';
import { OPERATOR_SUBSCRIPTIONS } from '@/lib/kudo/upgrades/operator-subscription';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';
import type { Target } from '@/server/kube/api';
import type { VirtualEngine } from './virtual-engine';

const GROUPS: { readonly [resource: string]: { group: string; version: string } } = {
  deployments: { group: 'apps', version: 'v1' },
  statefulsets: { group: 'apps', version: 'v1' },
  daemonsets: { group: 'apps', version: 'v1' },
  replicasets: { group: 'apps', version: 'v1' },
  jobs: { group: 'batch', version: 'v1' },
  cronjobs: { group: 'batch', version: 'v1' },
  customresourcedefinitions: { group: 'apiextensions.k8s.io', version: 'v1' },
  clusterroles: { group: 'rbac.authorization.k8s.io', version: 'v1' },
  ponds: { group: 'lab.example.org', version: 'v1' },
};

const CLUSTER_SCOPED: ReadonlySet<string> = new Set(['customresourcedefinitions', 'clusterroles', 'namespaces']);

export interface ExpectedEnd {
  readonly status?: ExecutionStatus;
  /** An execution that does not count. */
  readonly not?: string | undefined;
}

/** One namespace of a virtual engine, with what tests need: requests of users, the stored objects, and the events. */
export class Lab {
  constructor(
    readonly engine: VirtualEngine,
    readonly namespace: string,
  ) {}

  static async open(engine: VirtualEngine, namespace: string): Promise<Lab> {
    const lab = new Lab(engine, namespace);
    await lab.put('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return lab;
  }

  /** A user creates an object. */
  put(resource: string, object: KubeObject, namespace = this.namespace): Promise<KubeObject> {
    return this.engine.run(this.engine.people.create(this.targetOf(resource, undefined, namespace), object));
  }

  /** A user patches an object (JSON merge). */
  patch(resource: string, name: string, patch: JsonObject, subresource?: string): Promise<KubeObject> {
    const options = subresource === undefined ? {} : { subresource };
    return this.engine.run(this.engine.people.patch(this.targetOf(resource, name), 'merge', patch, options));
  }

  remove(resource: string, name: string): Promise<unknown> {
    return this.engine.run(this.engine.people.delete(this.targetOf(resource, name), { propagation: 'Background' }));
  }

  /** Creates an Operator and its OperatorVersion; returns the name of the OperatorVersion. */
  async operator(name: string, spec: OperatorVersionSpec, namespace = this.namespace): Promise<string> {
    if (this.find('operators', name, namespace) === undefined) {
      await this.put('operators', kudo('Operator', name, namespace, {}), namespace);
    }
    const version = `${name}-${spec.version ?? '1'}`;
    const full = { version: '1', ...spec, operator: { name } };
    await this.put('operatorversions', kudo('OperatorVersion', version, namespace, full), namespace);
    return version;
  }

  create(
    name: string,
    version: string,
    parameters: { [name: string]: string } = {},
    metadata: JsonObject = {},
  ): Promise<KubeObject> {
    const instance = kudo('Instance', name, this.namespace, { operatorVersion: { name: version }, parameters });
    return this.put('instances', { ...instance, metadata: { ...instance.metadata, ...metadata } });
  }

  /** Creates an operator and an Instance of the same name, and waits for the end of its deploy plan. */
  async deploy(
    name: string,
    spec: OperatorVersionSpec,
    parameters: { [name: string]: string } = {},
    expected: ExpectedEnd = {},
  ): Promise<Instance> {
    await this.create(name, await this.operator(name, spec), parameters);
    return this.ends(name, 'deploy', expected);
  }

  /** Waits until a plan has ended and the Instance is idle. */
  async ends(name: string, plan: string, { status = 'COMPLETE', not }: ExpectedEnd = {}): Promise<Instance> {
    let last: Instance | undefined;
    const done = () => {
      last = this.find('instances', name) as Instance | undefined;
      const found = last?.status?.planStatus?.[plan];
      const idle = (last?.spec?.planExecution?.planName ?? '') === '';
      return found?.status === status && found.uid !== not && idle;
    };
    await this.engine.until(`plan ${plan} of ${name} is ${status}`, done).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify([last?.spec, last?.status])}`);
    });
    await this.engine.pass(2_000);
    return this.instance(name);
  }

  /** Patches `spec`, and waits for the end of the plan that this starts. */
  async edit(name: string, spec: JsonObject, plan: string, expected: ExpectedEnd = {}): Promise<Instance> {
    const not = this.instance(name).status?.planStatus?.[plan]?.uid;
    await this.patch('instances', name, { spec });
    return this.ends(name, plan, { not, ...expected });
  }

  /** Waits until a step has this status, and returns it. */
  async step(name: string, place: string, status: ExecutionStatus): Promise<StepStatus> {
    await this.engine.until(`${place} of ${name} is ${status}`, () => this.stepNow(name, place)?.status === status);
    return this.stepNow(name, place) ?? { name: '' };
  }

  /** `plan.phase.step`. */
  stepNow(name: string, place: string): StepStatus | undefined {
    const [plan = '', phase, step] = place.split('.');
    const instance = this.find('instances', name) as Instance | undefined;
    const phases = instance?.status?.planStatus?.[plan]?.phases ?? [];
    return phases.find((one) => one.name === phase)?.steps?.find((one) => one.name === step);
  }

  instance(name: string): Instance {
    const found = this.find('instances', name) as Instance | undefined;
    if (found === undefined) throw new Error(`Instance ${name} does not exist`);
    return found;
  }

  find(resource: string, name: string, namespace = this.namespace): KubeObject | undefined {
    return this.engine.sandbox.api.get({ ...this.targetOf(resource, name, namespace), name });
  }

  /** The PlanRuns of an Instance, by name. */
  runs(instance: string): PlanRun[] {
    const all = this.engine.sandbox.api.list({ ...PLAN_RUNS, namespace: this.namespace }) as PlanRun[];
    return all.filter((run) => run.spec?.instanceName === instance).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** Waits until a PlanRun has this status, and returns it. */
  async run(name: string, status: RunStatus): Promise<PlanRun> {
    const found = () => this.find('planruns', name) as PlanRun | undefined;
    await this.engine.until(`run ${name} is ${status}`, () => found()?.status?.status === status);
    return found() ?? { apiVersion: '', kind: '', metadata: {} };
  }

  ready(name: string) {
    return this.instance(name).status?.conditions?.find(({ type }) => type === 'Ready');
  }

  /** Reasons of the events of an Instance, in the order of their creation. */
  reasons(name: string): string[] {
    return this.events(name).map(({ reason }) => String(reason));
  }

  events(name: string): KubeObject[] {
    const all = this.engine.sandbox.api.list({
      group: '',
      version: 'v1',
      resource: 'events',
      namespace: this.namespace,
    });
    const order = (event: KubeObject) => Number(event.metadata.resourceVersion);
    return all
      .filter((event) => (event.involvedObject as { name?: string }).name === name)
      .sort((a, b) => order(a) - order(b));
  }

  /** Writes of the controller on objects of a resource, by name. */
  writes(resource: string, name: string, method?: string) {
    const path = new RegExp(`/${resource}(/${name})?(/status)?(\\?|$)`);
    return this.engine.calls.filter(
      (call) =>
        call.method !== 'GET' &&
        (method === undefined || call.method === method) &&
        path.test(call.path) &&
        call.path.includes(`/namespaces/${this.namespace}/`) &&
        (call.path.includes(`/${name}`) || (call.body?.metadata as { name?: string } | undefined)?.name === name),
    );
  }

  private targetOf(resource: string, name: string | undefined, namespace = this.namespace): Target {
    const known = [
      OPERATORS,
      OPERATOR_VERSIONS,
      INSTANCES,
      PLAN_RUNS,
      PLAN_SCHEDULES,
      OPERATOR_UPGRADES,
      OPERATOR_SUBSCRIPTIONS,
    ].find((one) => one.resource === resource);
    const place = known ?? { ...(GROUPS[resource] ?? { group: '', version: 'v1' }), resource };
    const scope = CLUSTER_SCOPED.has(resource) ? {} : { namespace };
    return { ...place, ...scope, ...(name === undefined ? {} : { name }) };
  }
}

function kudo(kind: string, name: string, namespace: string, spec: object): KubeObject {
  return { apiVersion: KUDO_API_VERSION, kind, metadata: { name, namespace }, spec: spec as JsonObject };
}
