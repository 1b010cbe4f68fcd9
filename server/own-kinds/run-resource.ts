import { BlockedError, messageOf, TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { CONFIRM_ANNOTATION, operatorVersionKey } from '@/lib/kudo/names';
import { evaluate } from '@/lib/kudo/own-kinds/expression';
import { type BrokenRule, judgeRules } from '@/lib/kudo/own-kinds/judge-rules';
import { differingValues, mappedParameters } from '@/lib/kudo/own-kinds/mapped-parameters';
import { isRunOver } from '@/lib/kudo/own-kinds/own-status';
import { runUid, stateOfRun } from '@/lib/kudo/own-kinds/run-state';
import type { OwnKind, RunMapping } from '@/lib/kudo/own-kinds/types';
import { confirmationRefusal, confirmationText } from '@/lib/kudo/plan-metadata/confirmation';
import { isOver, PLAN_RUNS, type PlanRun } from '@/lib/kudo/runs/plan-run';
import { claimText, requestAnnotations } from '@/lib/kudo/runs/run-request';
import { namesExecution, whyBusy } from '@/lib/kudo/schedules/start-check';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { codeOf } from '@/server/kube/errors';
import { previewChange } from '@/server/preconditions/preview-change';
import { sentence } from './align-instance';
import { ON_CHANGE, type OwnKindDeps, REFUSED_MS, type ResourceWake, SOON_MS } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';
import { writeResourceStatus } from './write-resource';

/** A resource that is one run of a plan, with what is known about the run. */
interface RunWork {
  readonly watched: WatchedResource;
  readonly kind: OwnKind;
  readonly mapping: RunMapping;
  /** The name of the Instance; empty when it cannot be told. */
  readonly name: string;
  readonly uid: string;
}

/**
 * Looks at a resource that is one run of a plan, and starts the run unless it has begun. The uid of the execution is made of the resource's, and
 * the write that starts it is guarded by what was decided upon, so that a second try, by any controller after a crash at any place, is the same
 * run. What is over is not looked at again; the deletion of the resource ends nothing.
 */
export async function reconcileRunResource(
  deps: OwnKindDeps,
  watched: WatchedResource,
  kind: OwnKind,
): Promise<ResourceWake> {
  const { resource } = watched;
  const mapping = kind.run;
  if (mapping === undefined || isRunOver(resource)) return ON_CHANGE;
  const uid = runUid(resource.metadata.uid ?? '');
  let name = '';
  let problem: BrokenRule | undefined;
  try {
    name = String(evaluate(mapping.instance, { self: resource }) ?? '');
    if (name === '') problem = { reason: 'InstanceMissing', message: 'The resource names no Instance.' };
  } catch (error) {
    problem = { reason: 'ExpressionFailed', message: messageOf(error) };
  }
  return report(deps, { watched, kind, mapping, name, uid }, problem);
}

/** Starts the run where it can, and says in the status what became of it. */
async function report(deps: OwnKindDeps, work: RunWork, known: BrokenRule | undefined): Promise<ResourceWake> {
  const { watched, kind, name, uid } = work;
  const { resource } = watched;
  const key = `${namespaceOf(resource)}/${name}`;
  const instance = deps.store.get(key);
  const run = await readRun(deps, deps.planRuns.findByKey(key, uid));
  const scope = { self: resource, instance: instance ?? null, run: run ?? null };
  const rules = judgeRules(kind.rules, scope);
  const wasStarted = hasBegun(work, instance);
  let problem = known;
  let isStarted = wasStarted || run !== undefined;
  if (!isStarted && problem === undefined) {
    problem = rules.blocking ?? (await start(deps, work));
    isStarted = problem === undefined;
  }
  const state = stateOfRun({ kind, instance: name, uid, run, isStarted, rules, problem });
  await writeResourceStatus(deps, watched, { kind, state, scope });
  const wake = { instance: key };
  if (problem !== undefined) return { ...wake, afterMs: REFUSED_MS };
  return { ...wake, afterMs: run === undefined ? SOON_MS * 5 : undefined };
}

/** The record of a run; whole when the run is over, because the watched copy leaves out how it ended. */
async function readRun({ api }: OwnKindDeps, known: PlanRun | undefined): Promise<PlanRun | undefined> {
  if (!isOver(known?.status?.status)) return known;
  const target = { ...PLAN_RUNS, namespace: known?.metadata.namespace, name: known?.metadata.name };
  return ((await api.get(target)) as PlanRun | undefined) ?? known;
}

/** True when the execution was asked for before, also when its record is not known (any more). */
function hasBegun({ watched, mapping, uid }: RunWork, instance: Instance | undefined): boolean {
  const said = watched.resource.status;
  const isSaid = typeof said === 'object' && said !== null && 'uid' in said && said.uid === uid;
  return isSaid || (instance !== undefined && namesExecution(instance, mapping.plan, uid));
}

/** @returns why the plan was not started */
async function start(deps: OwnKindDeps, work: RunWork): Promise<BrokenRule | undefined> {
  try {
    return await tryStart(deps, work);
  } catch (error) {
    const isRefused = error instanceof TerminalError || (error instanceof BlockedError && codeOf(error) !== 404);
    if (!isRefused) throw error;
    return { reason: 'StartRefused', message: messageOf(error) };
  }
}

async function tryStart(deps: OwnKindDeps, work: RunWork): Promise<BrokenRule | undefined> {
  const { watched, mapping, name, uid } = work;
  const { resource } = watched;
  const { plan } = mapping;
  const target = { ...INSTANCES, namespace: namespaceOf(resource), name };
  // What is started is decided upon what is stored.
  const instance = (await deps.api.get(target)) as Instance | undefined;
  if (instance === undefined) {
    return {
      reason: 'InstanceMissing',
      message: `Instance ${name} does not exist in namespace ${namespaceOf(resource)}.`,
    };
  }
  if (namesExecution(instance, plan, uid)) return undefined;
  const busy = whyBusy(instance);
  if (busy !== undefined) return { reason: 'InstanceBusy', message: busy };
  const version = await versionOf(deps, instance);
  if (version === undefined) {
    return { reason: 'OperatorVersionMissing', message: `The OperatorVersion of Instance ${name} does not exist.` };
  }
  const mapped = mappedParameters(mapping.parameters, { self: resource, instance }, version);
  const parameters = differingValues(instance, mapped, version);
  const edit = { plan, parameters, nowMs: deps.clock.now() };
  const preview = await previewChange(deps.api, instance, version, edit);
  if (preview.outcome === 'refused') return { reason: 'StartRefused', message: sentence(preview.message ?? '') };
  if (preview.plan !== plan) {
    return {
      reason: 'StartRefused',
      message: `The parameters start plan ${preview.plan ?? 'none'} instead of plan ${plan}.`,
    };
  }
  if (preview.confirmation !== undefined && !isConfirmed(work)) {
    return { reason: 'ConfirmationRequired', message: howToConfirm(work, instance, version) };
  }
  await deps.api.patch(
    target,
    'merge',
    startPatch(deps, work, { instance, parameters, confirmation: preview.confirmation }),
  );
  return undefined;
}

interface Start {
  readonly instance: Instance;
  readonly parameters: { readonly [name: string]: string | null };
  readonly confirmation: string | undefined;
}

/** The write of a person who starts the plan, with the request that says that a resource does. */
function startPatch(deps: OwnKindDeps, { watched, mapping, uid }: RunWork, start: Start): JsonObject {
  const { resource } = watched;
  const { instance, parameters, confirmation } = start;
  const request = {
    reason: `${resource.kind} ${nameOf(resource)}`,
    slot: claimText(uid, 'Resource', deps.fingerprints),
    resource: `${resource.kind}/${nameOf(resource)}`,
  };
  return {
    metadata: {
      resourceVersion: instance.metadata.resourceVersion ?? '',
      annotations: {
        ...requestAnnotations(mapping.plan, request),
        ...(confirmation === undefined ? {} : { [CONFIRM_ANNOTATION]: confirmation }),
      },
    },
    spec: { planExecution: { planName: mapping.plan, uid, status: null }, parameters: { ...parameters } },
  };
}

function isConfirmed({ watched: { resource }, mapping, name }: RunWork): boolean {
  if (mapping.confirmedBy === 'name' && nameOf(resource) === name) return true;
  return resource.metadata.annotations?.[CONFIRM_ANNOTATION] === confirmationText(mapping.plan, name);
}

function howToConfirm(
  { watched: { resource }, mapping, name }: RunWork,
  instance: Instance,
  version: OperatorVersion,
): string {
  const [first = ''] = confirmationRefusal(instance, mapping.plan, version).split(' To confirm it once');
  const text = confirmationText(mapping.plan, name);
  const command = `kubectl annotate -n ${namespaceOf(resource)} ${resource.kind.toLowerCase()} ${nameOf(resource)} ${CONFIRM_ANNOTATION}=${text}`;
  const byName = mapping.confirmedBy === 'name' ? `, or give the resource the name ${name}` : '';
  return `${sentence(first)} To confirm it, run \`${command}\`${byName}.`;
}

async function versionOf(deps: OwnKindDeps, instance: Instance): Promise<OperatorVersion | undefined> {
  const { namespace, name } = operatorVersionKey(instance);
  return deps.watches.operatorVersions.get(namespace, name) as OperatorVersion | undefined;
}
