import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf, TransientError } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Api } from '@/server/kube/api';
import { serverVersion } from '@/server/kube/server-version';
import type { Log } from '@/server/log/log';

/** As `kubectl kudo init` installs its manager, in any namespace. */
const MANAGERS = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const LABEL = 'app=kudo-manager';
const COMMAND = '/root/manager';

const LOOK_MS = 5_000;
/** Looks that may fail in a row before it goes on without. */
const FAILURES = 3;
/** A look that is not answered for so long has failed: the lists of the controller wait longer, and nothing waits for this. */
const PATIENCE_MS = 5_000;

export interface FormerManagerOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when this one begins to wait, and when it no longer does. */
  onYield?(yields: boolean): void;
}

/** The wait for KUDO's own manager. */
export interface FormerManager {
  /** Resolves when no manager of KUDO works in the cluster, or nobody can tell. */
  readonly gone: Promise<void>;
  stop(): void;
}

/**
 * KUDO's manager knows no lease: beside it every plan would be run by two. While its StatefulSet has a ready pod, this one
 * waits and says what ends that. In a sandbox its pods only seem to work.
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

/** True for KUDO's manager with a ready pod; `bravo init` makes a StatefulSet of the same name with another command. */
function works(manager: KubeObject): boolean {
  const containers = arrayAt(manager, 'spec', 'template', 'spec', 'containers');
  const isKudo = containers.some(
    (each) =>
      arrayAt(each, 'command')[0] === COMMAND ||
      /(^|\/)kudobuilder\/controller[:@]/.test(stringAt(each, 'image') ?? ''),
  );
  return isKudo && (numberAt(manager, 'status', 'readyReplicas') ?? 0) > 0;
}
