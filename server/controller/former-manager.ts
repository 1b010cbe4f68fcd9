import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf, TransientError } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';
import { serverVersion } from '@/server/kube/server-version';
import type { Log } from '@/server/log/log';

/** The StatefulSet that `kubectl kudo init` installs, in any namespace. */
const MANAGERS = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const LABEL = 'app=kudo-manager';
const COMMAND = '/root/manager';

const LOOK_MS = 5_000;
/** After so many failed checks in a row the controller goes on. */
const FAILURES = 3;
/** A check without an answer for this long has failed. */
const PATIENCE_MS = 5_000;

export interface FormerManagerOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when this controller begins to wait, and when it stops waiting. */
  onYield?(yields: boolean): void;
}

/** The wait for KUDO's own manager. */
export interface FormerManager {
  /** Resolves when KUDO's manager does not run in the cluster, or when that cannot be found out. */
  readonly gone: Promise<void>;
  stop(): void;
}

/**
 * KUDO's manager uses no lease: beside it two controllers would run every plan. While its StatefulSet has a ready pod, this controller
 * waits and says what ends the wait. In a sandbox the manager's pods are simulated and do not count.
 */
export function awaitFormerManager(options: FormerManagerOptions): FormerManager {
  const stopper = new AbortController();
  const wait = new Wait(options, stopper.signal);
  return { gone: wait.run(), stop: () => stopper.abort(new Error('The controller stops.')) };
}

class Wait {
  private failures = 0;
  private yields = false;

  constructor(
    private readonly options: FormerManagerOptions,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<void> {
    while (!this.signal.aborted && (await this.mustWait())) {
      await sleep(this.options.clock, LOOK_MS, this.signal).catch(() => undefined);
    }
    if (this.yields) this.options.onYield?.(false);
  }

  private async mustWait(): Promise<boolean> {
    const abort = new AbortController();
    const timer = this.options.clock.after(PATIENCE_MS, () => abort.abort(new TransientError('no answer', 'Timeout')));
    try {
      const found = await this.find(abort.signal);
      this.failures = 0;
      if (found !== undefined) this.say(found);
      return found !== undefined;
    } catch (error) {
      this.failures += 1;
      this.options.log.warn('kudo-manager.unknown', { problem: messageOf(error) });
      return error instanceof TransientError && (this.yields || this.failures < FAILURES);
    } finally {
      timer.cancel();
    }
  }

  private async find(signal: AbortSignal): Promise<KubeObject | undefined> {
    const { items } = await this.options.api.list(MANAGERS, { labelSelector: LABEL, signal });
    const found = items.find(works);
    if (found === undefined || this.yields) return found;
    const version = await serverVersion(this.options.api, signal);
    return version?.endsWith('+bravo') === true ? undefined : found;
  }

  private say(manager: KubeObject): void {
    if (this.yields) return;
    this.yields = true;
    const [namespace, name] = [namespaceOf(manager), nameOf(manager)];
    this.options.log.warn('kudo-manager.works', {
      statefulSet: `${namespace}/${name}`,
      advice: `two managers must not act at once; this one waits until: kubectl -n ${namespace} scale statefulset ${name} --replicas 0`,
    });
    this.options.onYield?.(true);
  }
}

/** True for KUDO's manager with a ready pod; `bravo init` creates a StatefulSet of the same name with another command. */
function works(manager: KubeObject): boolean {
  const containers = arrayAt(manager, 'spec', 'template', 'spec', 'containers');
  const isKudo = containers.some(
    (each) =>
      arrayAt(each, 'command')[0] === COMMAND ||
      /(^|\/)kudobuilder\/controller[:@]/.test(stringAt(each, 'image') ?? ''),
  );
  return isKudo && (numberAt(manager, 'status', 'readyReplicas') ?? 0) > 0;
}
