import type { Clock, Timer } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { ownSecretTexts } from '@/lib/kudo/drift/secret-texts';
import { MIN_PERIOD_MS } from '@/lib/kudo/health-checks/definitions';
import type { KnownOutcome } from '@/lib/kudo/health-checks/results';
import type { HealthCheck, HealthOutcome, HealthVerdict } from '@/lib/kudo/health-checks/types';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { type Random, randomInteger } from '@/lib/random/random';
import type { Log } from '@/server/log/log';
import type { TextRenderer } from '@/server/tasks/render-texts';
import { podsToCheck } from './ready-pods';
import { renderCheck } from './render-check';
import { type CheckRunner, runCheck } from './run-check';

export interface InstanceChecksDeps extends CheckRunner {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly renderTexts: TextRenderer;
  /** The Instance and its version as they are known now; undefined when one of them does not exist. */
  read(): { readonly instance: Instance; readonly operatorVersion: OperatorVersion } | undefined;
  /** The known pods of the Instance. */
  pods(): readonly KubeObject[];
  /** A check has ended; its outcome may be another one. */
  changed(): void;
}

/** The first runs of many Instances are spread over this time. */
const FIRST_WITHIN_MS = 2_000;
const SLOWEST_MS = 5 * 60_000;
/** A shorter value occurs in other words, and says nothing. */
const MASKED_CHARS = 4;

interface Scheduled {
  readonly check: HealthCheck;
  /** With the labels of its pods, once it was rendered. */
  rendered?: HealthCheck;
  isEnabled: boolean;
  outcome?: HealthOutcome & { readonly atMs: number };
  /** Runs in a row that found nothing out. */
  unknowns: number;
  /** The pods of the last run. */
  pods: string;
  startedMs: number;
  isRunning: boolean;
  timer?: Timer;
}

/**
 * The checks of one Instance. Each runs after its period, for as long as this object is not stopped:
 *
 * - *waiting*: a timer is set → *running* when it fires, or earlier when other pods are ready;
 * - *running*: requests are under way → *waiting*, with an outcome.
 *
 * One run that finds nothing out does not replace an outcome: it is repeated after five seconds. After that the check runs more and
 * more rarely, because a command that hangs goes on in its container.
 */
export class InstanceChecks {
  private readonly all: Scheduled[];
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: InstanceChecksDeps,
    checks: readonly HealthCheck[],
  ) {
    this.all = checks.map((check) => ({
      check,
      isEnabled: true,
      unknowns: 0,
      pods: '',
      startedMs: Number.NEGATIVE_INFINITY,
      isRunning: false,
    }));
    for (const scheduled of this.all) this.schedule(scheduled, randomInteger(deps.random, FIRST_WITHIN_MS));
  }

  stop(): void {
    this.stopping.abort(new Error('the health checks of the Instance were stopped'));
    for (const { timer } of this.all) timer?.cancel();
  }

  /** The enabled checks with their outcomes, in the order of the package. */
  known(): KnownOutcome[] {
    return this.all.filter(({ isEnabled }) => isEnabled).map(({ check, outcome }) => ({ name: check.name, outcome }));
  }

  /** Runs the checks soon whose pods are others than in their last run. */
  podsMayDiffer(): void {
    const pods = this.deps.pods();
    for (const scheduled of this.all) {
      const { rendered, isRunning, isEnabled, startedMs } = scheduled;
      if (rendered === undefined || isRunning || !isEnabled) continue;
      if (namesOf(podsToCheck(pods, rendered)) === scheduled.pods) continue;
      this.schedule(scheduled, Math.max(0, startedMs + MIN_PERIOD_MS - this.deps.clock.monotonic()));
    }
  }

  private schedule(scheduled: Scheduled, delayMs: number): void {
    scheduled.timer?.cancel();
    scheduled.timer = this.deps.clock.after(delayMs, () => void this.run(scheduled));
  }

  private async run(scheduled: Scheduled): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    scheduled.isRunning = true;
    scheduled.startedMs = this.deps.clock.monotonic();
    try {
      const outcome = await this.outcomeOf(scheduled, signal);
      if (signal.aborted) return;
      scheduled.isEnabled = outcome !== undefined;
      if (outcome === undefined) delete scheduled.outcome;
      else this.record(scheduled, outcome);
    } catch (error) {
      if (signal.aborted) return;
      this.deps.log.error('health.bug', { check: scheduled.check.name, problem: messageOf(error) });
    } finally {
      scheduled.isRunning = false;
    }
    this.schedule(scheduled, this.delayMs(scheduled));
    this.deps.changed();
  }

  /** Undefined for a check that is not enabled. */
  private async outcomeOf(scheduled: Scheduled, signal: AbortSignal): Promise<HealthOutcome | undefined> {
    const known = this.deps.read();
    if (known === undefined) return undefined;
    try {
      const { instance, operatorVersion } = known;
      const { check, isEnabled } = await renderCheck(this.deps.renderTexts, scheduled.check, instance, operatorVersion);
      scheduled.rendered = check;
      if (!isEnabled) return undefined;
      const pods = podsToCheck(this.deps.pods(), check);
      scheduled.pods = namesOf(pods);
      return await runCheck(this.deps, check, pods, signal);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      return { verdict: 'Unknown', message: error.message, pod: '' };
    }
  }

  private record(scheduled: Scheduled, outcome: HealthOutcome): void {
    const { check, pods } = scheduled;
    scheduled.unknowns = outcome.verdict === 'Unknown' ? scheduled.unknowns + 1 : 0;
    if (outcome.verdict === 'Unknown') {
      const before = scheduled.outcome?.verdict ?? this.storedVerdict(check.name);
      // Before the first pod is ready there is nothing to check.
      if (before === undefined && pods === '' && scheduled.rendered !== undefined) return;
      if (before !== undefined && before !== 'Unknown' && scheduled.unknowns === 1) return;
    }
    scheduled.outcome = { ...outcome, message: this.masked(outcome.message), atMs: this.deps.clock.now() };
  }

  /** A command must not print secrets. If it prints the value of a secret parameter, the value is not written all the same. */
  private masked(message: string): string {
    const known = this.deps.read();
    if (known === undefined) return '';
    const secrets = [...ownSecretTexts(known.instance, known.operatorVersion)].filter(
      (text) => text.length >= MASKED_CHARS,
    );
    return secrets.reduce((text, secret) => text.replaceAll(secret, SECRET_MARK), message);
  }

  /** The verdict that an earlier process wrote. */
  private storedVerdict(name: string): HealthVerdict | undefined {
    const stored = this.deps.read()?.instance.status?.healthChecks ?? [];
    return stored.find((each) => each.name === name)?.status;
  }

  private delayMs({ check: { periodMs }, unknowns, pods }: Scheduled): number {
    if (unknowns === 1) return MIN_PERIOD_MS;
    // Without pods nothing is asked, and a new pod starts the check.
    if (unknowns === 0 || pods === '') return periodMs;
    return Math.max(periodMs, Math.min(SLOWEST_MS, periodMs * 2 ** Math.min(unknowns - 1, 10)));
  }
}

function namesOf(pods: readonly KubeObject[]): string {
  return pods.map(({ metadata }) => metadata.uid ?? metadata.name ?? '').join();
}
