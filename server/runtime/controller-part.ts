import { type Clock, sleep } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { NoticeSettings } from '@/server/config/notices';
import type { PipeSettings } from '@/server/config/pipes';
import type { WebhookSettings } from '@/server/config/webhook';
import { processIdentity } from '@/server/controller/process-identity';
import type { Log, LogLevel } from '@/server/log/log';
import { type Part, type PartFigures, startPart } from '@/server/workers/part';
import type { ControllerState } from './runtime';
import type { ClusterAccess } from './start-parts';

const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 60_000;
/** One that lived for so long has shown that it can; its next death is the first again. */
const PROVEN_MS = 5 * 60_000;

type Alive = 'running' | 'standby' | 'forbidden' | 'yields';
const isAlive = (state: string): state is Alive => ['running', 'standby', 'forbidden', 'yields'].includes(state);

export interface ControllerPartOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly log: Log;
  readonly logLevel: LogLevel;
  readonly webhook: WebhookSettings;
  readonly pipePods: PipeSettings;
  readonly notices: NoticeSettings;
  /** Where its profiles are written. */
  readonly profileFolder: string;
  /** The only namespaces that it watches; all when absent or empty. */
  readonly namespaces?: readonly string[];
  /** 1 when absent. */
  readonly shards?: number;
  readonly countsUsage?: boolean;
  /** Replaces the worker, for tests. */
  readonly startPart?: typeof startPart;
}

/**
 * The controller's worker, started anew when it dies or hangs: after 1 s, and twice as long each time up to 60 s, until one has
 * lived for five minutes.
 */
export class ControllerPart {
  private part: Part | undefined;
  private current: ControllerState = 'off';
  private restartMs = FIRST_RESTART_MS;
  private startedAtMs = 0;
  private readonly notes = new Map<string, string>();
  private readonly stopping = new AbortController();
  private readonly options: ControllerPartOptions;

  constructor(options: ControllerPartOptions) {
    this.options = options;
  }

  get state(): ControllerState {
    return isAlive(this.current) && this.part?.isSilent === true ? 'failed' : this.current;
  }

  /** What its webhook says of itself, in one sentence; undefined while no controller runs here. */
  get webhookWords(): string | undefined {
    return this.current === 'off' || this.current === 'failed' ? undefined : this.notes.get('webhook');
  }

  /** What it may not do with its lease, in one sentence; undefined unless its state is `forbidden`. */
  get leaseProblem(): string | undefined {
    return this.state === 'forbidden' ? this.notes.get('lease') : undefined;
  }

  /** What it measures, and its last problems; undefined while no controller runs here, or when it does not answer. */
  async figures(): Promise<PartFigures | undefined> {
    return isAlive(this.current) ? this.part?.figures() : undefined;
  }

  /** Writes profiles of its thread, while it runs. */
  profile(): void {
    if (isAlive(this.current)) this.part?.profile();
  }

  /** Why it waits for controllers with another number of shards, in one sentence; undefined when it does not. */
  get shardsProblem(): string | undefined {
    return (this.state === 'standby' && this.notes.get('shards')) || undefined;
  }

  /** Resolves when the worker runs; a second call does nothing. */
  async start(): Promise<void> {
    if (this.current !== 'off' && this.current !== 'failed') return;
    this.current = 'standby';
    const { access, logLevel, webhook, pipePods, notices, profileFolder, clock, shards = 1 } = this.options;
    const { countsUsage = true } = this.options;
    this.startedAtMs = clock.monotonic();
    this.part = await (this.options.startPart ?? startPart)({
      entry: 'controller-worker',
      settings: {
        kubeconfigPath: access.kubeconfigPath,
        context: access.context,
        identity: processIdentity(),
        logLevel,
        webhook,
        pipePods,
        notices,
        profileFolder,
        namespaces: this.options.namespaces ?? [],
        shards,
        countsUsage,
      },
      onState: (state) => {
        this.current = isAlive(state) ? state : 'standby';
      },
      onNote: (about, words) => this.notes.set(about, words),
      onDeath: (message) => this.restart(message),
    });
  }

  /** @param isHandover another controller may take over */
  async stop(patienceMs: number, isHandover = false): Promise<void> {
    this.stopping.abort();
    await this.part?.stop(patienceMs, isHandover);
  }

  private restart(message: string): void {
    this.current = 'failed';
    if (this.options.clock.monotonic() - this.startedAtMs > PROVEN_MS) this.restartMs = FIRST_RESTART_MS;
    this.options.log.error('controller.died', { message, restartInMs: this.restartMs });
    const delayMs = this.restartMs;
    this.restartMs = Math.min(this.restartMs * 2, LAST_RESTART_MS);
    sleep(this.options.clock, delayMs, this.stopping.signal)
      .then(() => this.start())
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.restart(messageOf(error));
      });
  }
}
