import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import type { Api } from '@/server/kube/api';
import { withDeadline } from '@/server/kube/deadline';

/** How often the API is asked whether it answers while somebody reads a topic, and how long it may take. */
const BEAT_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;
/** How often it is asked while it does not answer: people wait. */
const ASK_AGAIN_MS = 2_000;

/** Called at each change; `lostSinceMs` is set when the API answers again after it was silent since then (wall time). */
export type PulseListener = (lostSinceMs: number | undefined) => void;

/**
 * Whether the API answers at all. A watch of a server that hangs looks like a quiet cluster until the watch ends after a
 * minute; one small request every five seconds detects it within ten.
 *
 * States: *resting* (nobody follows: nothing is asked) → *beating* ⇄ *silent* (no answer, or one that the server cannot answer).
 */
export class Pulse {
  /** Wall time of the last answer before the silence; undefined while the API answers. */
  silentSinceMs: number | undefined;
  private readonly listeners = new Set<PulseListener>();
  private beating: AbortController | undefined;

  constructor(
    private readonly api: Pick<Api, 'raw'>,
    private readonly clock: Clock,
  ) {}

  /** Calls the listener when the API falls silent and when it answers again; the result ends it. */
  follow(listener: PulseListener): () => void {
    this.listeners.add(listener);
    if (this.beating === undefined) {
      this.beating = new AbortController();
      void this.beat(this.beating.signal);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.beating?.abort(new Error('Nobody reads any topic.'));
      this.beating = undefined;
      this.silentSinceMs = undefined;
    };
  }

  private async beat(signal: AbortSignal): Promise<void> {
    let heardAtMs = this.clock.now();
    while (!signal.aborted) {
      const askedAtMs = this.clock.now();
      const answers = await this.ask(signal).then(
        () => true,
        () => false,
      );
      if (signal.aborted) return;
      if (answers) heardAtMs = askedAtMs;
      this.note(answers ? undefined : heardAtMs);
      await sleep(this.clock, answers ? BEAT_EVERY_MS : ASK_AGAIN_MS, signal).catch(() => undefined);
    }
  }

  private note(silentSinceMs: number | undefined): void {
    const before = this.silentSinceMs;
    if (before === silentSinceMs) return;
    this.silentSinceMs = silentSinceMs;
    for (const listener of [...this.listeners]) listener(silentSinceMs === undefined ? before : undefined);
  }

  /** Any answer counts, a refusal too; 5xx does not, because it says that the server cannot answer. */
  private ask(signal: AbortSignal): Promise<void> {
    return withDeadline(this.clock, ANSWER_WITHIN_MS, signal, async (inTime) => {
      const { status, body } = await this.api.raw({ method: 'GET', path: '/version', signal: inTime });
      for await (const _ of body) if (inTime.aborted) throw inTime.reason;
      if (status >= 500) throw new TransientError(`The Kubernetes API answers ${status}.`, 'Unavailable');
    });
  }
}
