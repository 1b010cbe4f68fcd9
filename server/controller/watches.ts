import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, jsonEqual, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { controllerOfKind, ownersOfKind } from '@/lib/kube/owners';
import { PLAN_APPROVALS } from '@/lib/kudo/approvals/plan-approval';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import {
  HERITAGE_LABEL,
  HERITAGE_VALUE,
  INSTANCE_LABEL,
  operatorVersionKey,
  PIPE_POD_ANNOTATION,
} from '@/lib/kudo/names';
import { NOTICES_LABEL } from '@/lib/kudo/notices/notice';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { PLAN_SCHEDULES } from '@/lib/kudo/schedules/plan-schedule';
import type { Instance } from '@/lib/kudo/types';
import { OPERATOR_SUBSCRIPTIONS } from '@/lib/kudo/upgrades/operator-subscription';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';
import type { Api, Target } from '@/server/kube/api';
import { type Cache, type CacheChange, type CacheOptions, startCache } from '@/server/kube/cache';
import { codeOf } from '@/server/kube/errors';
import type { NoticeWatches } from '@/server/notices/configured-notices';
import { OwnKindWatches } from '@/server/own-kinds/own-kind-watches';
import { shrinkApproval } from '@/server/runs/plan-approval-store';
import { shrinkRun } from '@/server/runs/plan-run-store';
import { Editors } from './editors';
import { keyOf } from './instance-store';
import { ObjectWatches } from './object-watches';
import { VersionReads } from './version-reads';

/** Kinds whose changes requeue the Instance that owns them, and whose health is its readiness. */
const WORKLOADS = [
  { group: 'apps', version: 'v1', resource: 'deployments' },
  { group: 'apps', version: 'v1', resource: 'statefulsets' },
  { group: 'apps', version: 'v1', resource: 'replicasets' },
  { group: 'apps', version: 'v1', resource: 'daemonsets' },
  { group: 'batch', version: 'v1', resource: 'jobs' },
  { group: '', version: 'v1', resource: 'pods' },
  { group: '', version: 'v1', resource: 'services' },
] as const;

export type WorkloadName = (typeof WORKLOADS)[number]['resource'];

/** Shared watches: one per kind, whatever the number of Instances. */
export interface Watches {
  readonly instances: Cache;
  readonly operatorVersions: Cache;
  readonly versionReads: VersionReads;
  readonly workloads: ReadonlyMap<WorkloadName, Cache>;
  /** Records of runs; empty where the cluster does not serve them. */
  readonly planRuns: Cache;
  /** Empty where the cluster does not serve them. */
  readonly planSchedules: Cache;
  /** Empty where the cluster does not serve them. */
  readonly upgrades: Cache;
  /** Empty where the cluster does not serve them. */
  readonly subscriptions: Cache;
  /** Empty where the cluster does not serve them. */
  readonly planApprovals: Cache;
  /** ConfigMaps and Secrets that say where notices go. */
  readonly notices: NoticeWatches;
  /** All of these but the objects. */
  readonly caches: readonly Cache[];
  /** Of objects that Instances need by name; none at the start. */
  readonly objects: ObjectWatches;
  /** Resources of the kinds that operators brought. */
  readonly ownKinds: OwnKindWatches;
  readonly synced: Promise<void>;
  /** `field manager NAME` that wrote an Instance last, of those that are not the controller's; undefined when nobody did. */
  editorOf(instance: Instance): string | undefined;
  stop(): Promise<void>;
}

export interface ChangeHandlers {
  /** An Instance changed. */
  instance(key: string, change: CacheChange): void;
  /** An object that an Instance owns or refers to changed. */
  related(key: string): void;
  /** A PlanSchedule was created, edited or deleted. */
  schedule(key: string): void;
  /** An OperatorUpgrade was created, edited or deleted. */
  upgrade(key: string): void;
  /** An OperatorSubscription was created, edited, approved or deleted. */
  subscription(key: string): void;
}

/** Starts every watch. The handlers are called from the first list on. */
export function startWatches(api: Api, options: CacheOptions, handlers: ChangeHandlers): Watches {
  const editors = new Editors();
  const instances = startCache(api, { ...INSTANCES }, { ...options, shrink: (object) => editors.shrink(object) });
  const operatorVersions = startCache(api, { ...OPERATOR_VERSIONS }, { ...options, shrink: withoutManagedFields });
  const versionReads = new VersionReads(instances, operatorVersions);
  const selectors = { labelSelector: `${HERITAGE_LABEL}=${HERITAGE_VALUE}` };
  const settled: Promise<void>[] = [];
  const workloads = new Map<WorkloadName, Cache>(
    WORKLOADS.map((target) => {
      const { cache, known } = startOptional(api, target, { ...options, selectors, shrink: essence });
      settled.push(known);
      return [target.resource, cache];
    }),
  );
  const runs = startRuns(api, options, handlers);
  settled.push(runs.known);
  const planRuns = runs.cache;
  const schedules = startSteered(api, { ...PLAN_SCHEDULES }, options, handlers.schedule);
  const upgrades = startSteered(api, { ...OPERATOR_UPGRADES }, options, handlers.upgrade);
  const subscriptions = startSteered(api, { ...OPERATOR_SUBSCRIPTIONS }, options, handlers.subscription);
  settled.push(schedules.known, upgrades.known, subscriptions.known);
  const approvals = startOptional(api, { ...PLAN_APPROVALS }, { ...options, shrink: shrinkApproval });
  settled.push(approvals.known);
  const { notices, known } = startNoticeWatches(api, options);
  settled.push(known);
  instances.onChange((change) => {
    if (change.type === 'DELETED') editors.forget(change.object);
    handlers.instance(keyOf(change.object), change);
    for (const parent of ownersOfKind(change.object, 'kudo.dev', 'Instance')) {
      handlers.related(`${namespaceOf(change.object)}/${parent.name}`);
    }
  });
  operatorVersions.onChange((change) => {
    for (const key of instancesOf(instances, change.object)) handlers.related(key);
  });
  for (const cache of workloads.values()) {
    cache.onChange((change) => {
      const key = ownerKeyOf(change);
      if (key !== undefined) handlers.related(key);
    });
  }
  const steered = [schedules.cache, upgrades.cache, subscriptions.cache];
  const shared = [instances, operatorVersions, planRuns, ...steered, approvals.cache];
  const caches = [...shared, notices.ConfigMap, notices.Secret, ...workloads.values()];
  const objects = new ObjectWatches({ api, cache: options, related: (key) => handlers.related(key) });
  const ownKinds = new OwnKindWatches(api, options);
  return {
    instances,
    operatorVersions,
    versionReads,
    workloads,
    planRuns,
    planSchedules: schedules.cache,
    upgrades: upgrades.cache,
    subscriptions: subscriptions.cache,
    planApprovals: approvals.cache,
    notices,
    caches,
    editorOf: (instance) => editors.of(instance),
    objects,
    ownKinds,
    synced: Promise.all([instances.synced, operatorVersions.synced, ...settled]).then(() => undefined),
    stop: async () => {
      await Promise.all([objects.stop(), ownKinds.stop(), ...caches.map((cache) => cache.stop())]);
    },
  };
}

/** The watch of records of runs: people steer with the spec. */
function startRuns(api: Api, options: CacheOptions, handlers: ChangeHandlers): OptionalWatch {
  const runs = startOptional(api, { ...PLAN_RUNS }, { ...options, shrink: shrinkRun });
  runs.cache.onChange(({ type, object, previous }) => {
    const { spec, status } = object as PlanRun;
    // Our own writes change the status; people steer with the spec, and nothing that is over.
    const isSteered = type === 'MODIFIED' && !isOver(status?.status) && !jsonEqual(spec, previous?.spec);
    if (isSteered) handlers.related(`${namespaceOf(object)}/${spec?.instanceName ?? ''}`);
  });
  return runs;
}

/** The watch of a kind whose status the controller writes: what a person changes is its spec, and what they approve. */
function startSteered(api: Api, target: Target, options: CacheOptions, changed: (key: string) => void): OptionalWatch {
  const watch = startOptional(api, target, { ...options, shrink: withoutManagedFields });
  watch.cache.onChange(({ type, object, previous }) => {
    const of = (field: string) => [stringAt(previous, 'status', field), stringAt(object, 'status', field)];
    const [before, approved] = of('approvedVersion');
    const [due, next] = of('nextCheck');
    // What persons write into a status: a version that they approve, and that there is no next check to wait for.
    const isSteered = approved !== before || (due !== undefined && next === undefined);
    if (type !== 'MODIFIED' || isSteered || !jsonEqual(object.spec, previous?.spec)) changed(keyOf(object));
  });
  return watch;
}

function startNoticeWatches(api: Api, options: CacheOptions): { notices: NoticeWatches; known: Promise<void> } {
  const selected = { ...options, selectors: { labelSelector: NOTICES_LABEL }, shrink: withoutManagedFields };
  const configMaps = startOptional(api, { group: '', version: 'v1', resource: 'configmaps' }, selected);
  const secrets = startOptional(api, { group: '', version: 'v1', resource: 'secrets' }, selected);
  return {
    notices: { ConfigMap: configMaps.cache, Secret: secrets.cache },
    known: Promise.all([configMaps.known, secrets.known]).then(() => undefined),
  };
}

interface OptionalWatch {
  readonly cache: Cache;
  readonly known: Promise<void>;
}

/**
 * The watch of a kind that the controller can do without: `known` resolves when the kind was listed, or when this controller may not
 * list it (403) or the cluster does not serve it (404). Plans continue then, without watch events of that kind (docs/faults.md A08).
 */
function startOptional(api: Api, target: Target, options: CacheOptions): OptionalWatch {
  let isRefused = false;
  let giveUp: () => void = () => undefined;
  const refused = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const cache: Cache = startCache(api, target, {
    ...options,
    onHealth: () => {
      const code = codeOf(cache.problem);
      if (isRefused || (code !== 403 && code !== 404)) return;
      isRefused = true;
      options.log.warn('watch.refused', { resource: target.resource, problem: messageOf(cache.problem) });
      giveUp();
    },
  });
  return { cache, known: Promise.race([cache.synced, refused]) };
}

/** Keys of the Instances that refer to an OperatorVersion, by namespace and name (CTL-31). */
export function instancesOf(instances: Cache, operatorVersion: KubeObject): string[] {
  return instances
    .list()
    .filter((object) => {
      const reference = operatorVersionKey(object as Instance);
      return reference.name === nameOf(operatorVersion) && reference.namespace === namespaceOf(operatorVersion);
    })
    .map(keyOf);
}

/**
 * The Instance of a changed workload: its controller, or the Instance in its label (pods of a StatefulSet). The deletion of a pipe's
 * pod is ignored: a reconcile then would run the copy again (CTL-30).
 */
export function ownerKeyOf(change: Pick<CacheChange, 'type' | 'object'>): string | undefined {
  const { object } = change;
  if (change.type === 'DELETED' && Object.hasOwn(object.metadata.annotations ?? {}, PIPE_POD_ANNOTATION))
    return undefined;
  const name = controllerOfKind(object, 'kudo.dev', 'Instance')?.name ?? object.metadata.labels?.[INSTANCE_LABEL];
  return name === undefined ? undefined : `${namespaceOf(object)}/${name}`;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The parts of a workload that health and requeueing need; the rest is dropped. */
function essence(object: KubeObject): KubeObject {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  const pipe = annotations?.[PIPE_POD_ANNOTATION];
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: pipe === undefined ? metadata : { ...metadata, annotations: { [PIPE_POD_ANNOTATION]: pipe } },
    spec: specEssence(object),
    status: object.status,
  };
}

const KEPT = [
  'replicas',
  'updateStrategy',
  'completions',
  'parallelism',
  'type',
  'clusterIP',
  'externalIPs',
  'restartPolicy',
];

function specEssence(object: KubeObject): JsonObject {
  const spec = isJsonObject(object.spec) ? object.spec : objectAt(object, 'spec');
  const kept: JsonObject = {};
  for (const key of KEPT) {
    const value = spec[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}
