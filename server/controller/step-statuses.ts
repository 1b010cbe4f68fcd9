import type { Clock } from '@/lib/clock/clock';
import type { PlanStatus } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';

/** A step that begins is stored at the latest before the first write of its tasks after this time. */
export const SHARED_MS = 200;

/**
 * `group/resource` of objects that may be applied again at any time: a second time writes nothing, they hold nothing that runs or
 * ends, and nothing in them depends on other live objects (a pod template contains the hash of its ConfigMaps and Secrets).
 */
const REPEATABLE: ReadonlySet<string> = new Set([
  '/configmaps',
  '/secrets',
  '/services',
  '/serviceaccounts',
  'networking.k8s.io/networkpolicies',
  'policy/poddisruptionbudgets',
  'rbac.authorization.k8s.io/clusterrolebindings',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/roles',
]);

export interface StepStatusesOptions {
  readonly clock: Clock;
  /** Writes the status, guarded by the Instance that was written last. @throws ConflictError when that has changed */
  store(status: PlanStatus): Promise<void>;
  /** False when the watch shows another Instance than the one that was written last: then the next write conflicts. */
  isAsKnown(): boolean;
}

/** What the tasks of one step have asked the API for. */
interface StepRequests {
  readonly objects: Set<string>;
  isRepeatable: boolean;
}

/**
 * Decides which steps of one pass store the status when they begin (docs/decisions/071). A process that dies runs all steps again
 * that are not stored as COMPLETE, so a step shares the next write only as long as that changes nothing:
 *
 * - *stored*: the first step that begins in the pass; one after 200 ms; one when the Instance has changed; one while the stored status
 *   says that a step waits or is tried again; one after a step that deleted something, or read or wrote an object that is not
 *   {@link REPEATABLE}.
 * - *shared*: every other one. It is stored before one of its tasks writes an object that a step before it, also not stored, has
 *   read or written, and before a write after 200 ms. Else the next stored step or the end of the pass contains it.
 *
 * When the status cannot be stored, no task writes any more, and {@link check} throws.
 */
export class StepStatuses {
  /** Objects of steps that are over and not stored as such. */
  private readonly unstoredObjects = new Set<string>();
  private step: StepRequests = { objects: new Set(), isRepeatable: true };
  private unstored: PlanStatus | undefined;
  private storedAtMs: number | undefined;
  /** What is stored says that a step waits or is tried again: nobody should read that while the next one is applied. */
  private saysTrouble = false;
  private storing: Promise<void> = Promise.resolve();

  constructor(private readonly options: StepStatusesOptions) {}

  /**
   * A step begins; what the tasks ask for from here on belongs to it.
   *
   * @param status the plan as a watcher should see it meanwhile
   */
  begins(status: PlanStatus): Promise<void> {
    const before = this.step;
    this.step = { objects: new Set(), isRepeatable: true };
    this.unstored = status;
    const mayShare =
      this.storedAtMs !== undefined && !this.saysTrouble && before.isRepeatable && this.options.isAsKnown();
    if (!mayShare || this.isLate()) return this.flush();
    for (const object of before.objects) this.unstoredObjects.add(object);
    return this.storing;
  }

  /** Fails with the error of a status that could not be stored: a task may have made an outcome of it. */
  check(): Promise<void> {
    return this.storing;
  }

  /**
   * The client for the tasks of the pass: it notes what they ask for, and stores the status before a write that needs it. Other verbs
   * are for objects with pods, which tasks read first.
   */
  watched(api: Api): Api {
    return {
      ...api,
      get: (target, options) => {
        this.note(target);
        return api.get(target, options);
      },
      create: async (target, object, options) => {
        await this.beforeWrite({ ...target, name: object.metadata.name });
        return api.create(target, object, options);
      },
      update: async (target, object, options) => {
        await this.beforeWrite(target);
        return api.update(target, object, options);
      },
      patch: async (target, type, patch, options) => {
        await this.beforeWrite(target);
        return api.patch(target, type, patch, options);
      },
      delete: async (target, options) => {
        this.step.isRepeatable = false;
        await this.beforeWrite(target);
        return api.delete(target, options);
      },
    };
  }

  private note(target: Target): string {
    const key = keyOf(target);
    this.step.objects.add(key);
    if (!REPEATABLE.has(`${target.group}/${target.resource}`)) this.step.isRepeatable = false;
    return key;
  }

  private async beforeWrite(target: Target): Promise<void> {
    const isAgain = this.unstoredObjects.has(this.note(target));
    if (this.unstored !== undefined && (isAgain || this.isLate())) return this.flush();
    return this.storing;
  }

  private isLate(): boolean {
    const { storedAtMs } = this;
    return storedAtMs !== undefined && this.options.clock.monotonic() - storedAtMs > SHARED_MS;
  }

  private flush(): Promise<void> {
    const status = this.unstored;
    if (status === undefined) return this.storing;
    this.unstored = undefined;
    this.unstoredObjects.clear();
    this.storing = this.storing.then(async () => {
      await this.options.store(status);
      this.storedAtMs = this.options.clock.monotonic();
      this.saysTrouble = saysTrouble(status);
    });
    return this.storing;
  }
}

function saysTrouble({ phases }: PlanStatus): boolean {
  const steps = (phases ?? []).flatMap((phase) => phase.steps ?? []);
  return steps.some(({ status, message = '' }) => status === 'ERROR' || (status === 'IN_PROGRESS' && message !== ''));
}

function keyOf({ group, resource, namespace = '', name = '' }: Target): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
