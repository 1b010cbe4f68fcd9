import { BlockedError, messageOf, TerminalError } from '@/lib/errors/errors';
import { namespacedName, namespaceOf } from '@/lib/kube/object';
import { operatorVersionKey } from '@/lib/kudo/names';
import { stateOfInstance } from '@/lib/kudo/own-kinds/instance-state';
import { type BrokenRule, type JudgedRules, judgeRules } from '@/lib/kudo/own-kinds/judge-rules';
import { type InstanceOwnership, ownershipOf } from '@/lib/kudo/own-kinds/ownership';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OwnKind } from '@/lib/kudo/own-kinds/types';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { codeOf } from '@/server/kube/errors';
import { adoptInstance, alignInstance, createInstance, type InstanceWork } from './align-instance';
import { ON_CHANGE, type OwnKindDeps, REFUSED_MS, type ResourceWake, SOON_MS } from './own-kind-deps';
import type { WatchedResource } from './own-kind-watches';
import { readStatusObjects } from './read-objects';
import { readReplicas } from './read-replicas';
import { addKindFinalizer, hasKindFinalizer, writeResourceStatus } from './write-resource';

/** The kind of a resource, from the version that a new Instance of it would have. */
export interface Picked {
  readonly kind: OwnKind;
  readonly operatorVersion: OperatorVersion;
}

/**
 * Looks at a resource whose Instance has its name, and does the next thing: finalizer → Instance → parameters and version → status. Safe to
 * be repeated after a crash at any place: each write is guarded by what was decided upon.
 */
export async function reconcileInstanceResource(
  deps: OwnKindDeps,
  watched: WatchedResource,
  picked: Picked,
): Promise<ResourceWake> {
  const { resource, operator } = watched;
  const instance = deps.store.get(namespacedName(resource));
  const own = instance === undefined ? undefined : versionOf(deps, instance);
  const ownership: InstanceOwnership | undefined =
    instance === undefined
      ? undefined
      : ownershipOf({ resource, instance, operator, operatorOfInstance: own?.spec?.operator?.name });
  const isOurs = ownership?.is === 'ours';
  // The parameters of an Instance are those of its own version.
  const kind = (isOurs ? ownKindOf(own, picked.kind) : undefined) ?? picked.kind;
  const scope = { self: resource, instance: isOurs ? (instance ?? null) : null } as const;
  const rules = judgeRules(kind.rules, scope);
  const work: InstanceWork = { watched, kind, scope, picked: picked.operatorVersion };
  const done = await act(deps, work, { instance, own, ownership, rules });
  const problem = isProblem(done) ? done : undefined;
  // It was added just now: the rest is decided upon the resource that has it.
  if (problem === undefined && !hasKindFinalizer(watched)) return { afterMs: SOON_MS };
  // What was written just now, before its watch event has come.
  const newest = isProblem(done) ? instance : (done ?? instance);
  const shown = isOurs || newest !== instance ? newest : undefined;
  const hasUnseenEdit = shown !== undefined && hasUnseenChange(shown, deps.fingerprints);
  const state = stateOfInstance({
    resource,
    kind,
    instance: shown,
    replicas: readReplicas(deps, resource),
    rules,
    problem,
    hasUnseenEdit,
  });
  const objects = await readStatusObjects(deps, kind, {
    instance: shown,
    operatorVersion: own ?? picked.operatorVersion,
  });
  await writeResourceStatus(deps, watched, { kind, state, scope: { ...scope, instance: shown ?? null, objects } });
  if (problem !== undefined) return { afterMs: REFUSED_MS };
  return shown === undefined ? { afterMs: SOON_MS } : ON_CHANGE;
}

function isProblem(done: Instance | BrokenRule | undefined): done is BrokenRule {
  return done !== undefined && !('metadata' in done);
}

interface Found {
  readonly instance: Instance | undefined;
  readonly own: OperatorVersion | undefined;
  readonly ownership: InstanceOwnership | undefined;
  readonly rules: JudgedRules;
}

/** @returns the Instance as it was written, or why it is not in line with the resource; undefined when there is nothing to do */
async function act(deps: OwnKindDeps, work: InstanceWork, found: Found): Promise<Instance | BrokenRule | undefined> {
  const { instance, own, ownership, rules } = found;
  if (ownership?.is === 'foreign') return ownership;
  if (rules.blocking !== undefined) return rules.blocking;
  if ((instance?.metadata.deletionTimestamp ?? '') !== '') {
    return { reason: 'InstanceDeleting', message: 'The Instance is being deleted. Another one is created after it.' };
  }
  try {
    if (!hasKindFinalizer(work.watched)) {
      await addKindFinalizer(deps, work.watched);
      return undefined;
    }
    if (instance === undefined) return await createInstance(deps, work);
    if (ownership?.is === 'adoptable') return await adoptInstance(deps, work, instance);
    return await alignInstance(deps, work, { instance, own });
  } catch (error) {
    const isRefused = error instanceof TerminalError || (error instanceof BlockedError && codeOf(error) !== 404);
    if (!isRefused) throw error;
    return { reason: error.reason === 'ExpressionFailed' ? error.reason : 'ChangeRefused', message: messageOf(error) };
  }
}

function versionOf(deps: OwnKindDeps, instance: Instance): OperatorVersion | undefined {
  const { namespace, name } = operatorVersionKey(instance);
  const place = namespace === '' ? namespaceOf(instance) : namespace;
  return deps.watches.operatorVersions.get(place, name) as OperatorVersion | undefined;
}
