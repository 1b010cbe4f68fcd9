import type { Timer } from '@/lib/clock/clock';
import type { LiveFrame } from '@/lib/live/frames';
import type { LiveStore } from '@/lib/live/store';
import { serverPath } from './address';
import { browserClock } from './clock';
import { onViewChange, reportOtherView } from './view-change';

/** Nothing for this long means that the line is dead, whatever the socket says (the server ticks every 15 s). */
const SILENCE_MS = 40_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
const FRAME_TYPES = ['hello', 'snapshot', 'delta', 'problem', 'stale', 'tick', 'controller', 'resume'] as const;

/**
 * Keeps one event stream open for everything that is wanted. Opens it anew, going on from the cursors, when the wanted
 * topics change and after a loss.
 *
 * States: idle (nothing wanted) → connecting → live → lost (waits, then connecting). `stop` ends all. So does a stream of another view than
 * the page's: what it brings is another user's.
 */
export class LiveConnection {
  private readonly store: LiveStore;
  /** As whom the page was rendered: server/auth/view-mark. */
  private readonly view: string;
  private source: EventSource | undefined;
  private openTopics = '';
  private retryMs = FIRST_RETRY_MS;
  private retry: Timer | undefined;
  private silence: Timer | undefined;
  private pendingChange: Timer | undefined;
  private readonly stops: (() => void)[] = [];

  constructor(store: LiveStore, view: string) {
    this.store = store;
    this.view = view;
  }

  start(): void {
    this.stops.push(this.store.onWanted(() => this.wantedChanged()));
    const wake = () => this.reopen();
    window.addEventListener('online', wake);
    const visible = () => {
      if (document.visibilityState === 'visible' && this.store.connection().status === 'lost') this.reopen();
    };
    document.addEventListener('visibilitychange', visible);
    this.stops.push(
      onViewChange(wake),
      () => window.removeEventListener('online', wake),
      () => document.removeEventListener('visibilitychange', visible),
    );
    this.wantedChanged();
  }

  stop(): void {
    for (const end of this.stops.splice(0)) end();
    this.pendingChange?.cancel();
    this.retry?.cancel();
    this.close();
  }

  /** Several components of a page declare their topics in one turn; one stream is opened for all. */
  private wantedChanged(): void {
    this.pendingChange?.cancel();
    this.pendingChange = browserClock.after(0, () => {
      const topics = this.store.subscriptions().map(({ topic }) => topic);
      const missing = topics.some((topic) => !this.openTopics.split(' ').includes(topic));
      // Topics that nobody wants any more stay on the open stream until it is opened anew: no need to interrupt it.
      if (missing) this.reopen();
      else if (topics.length === 0) this.close();
    });
  }

  private reopen(): void {
    this.retry?.cancel();
    this.close();
    const subscriptions = this.store.subscriptions();
    if (subscriptions.length === 0) return;
    this.openTopics = subscriptions.map(({ topic }) => topic).join(' ');
    const query = new URLSearchParams();
    for (const { topic, cursor } of subscriptions)
      query.append('topic', cursor === undefined ? topic : `${topic}~${cursor}`);
    const source = new EventSource(serverPath(`/api/live?${query}`));
    this.source = source;
    source.onerror = () => this.lose();
    for (const type of FRAME_TYPES) {
      source.addEventListener(type, (event) => {
        if (this.source === source) this.receive(event.data);
      });
    }
    this.listenForSilence();
  }

  private receive(data: string): void {
    const frame = JSON.parse(data) as LiveFrame;
    const nowMs = browserClock.now();
    this.retryMs = FIRST_RETRY_MS;
    if (frame.type === 'hello' && frame.view !== this.view) {
      this.stop();
      reportOtherView();
      return;
    }
    if (frame.type === 'resume') {
      this.resume(frame.afterMs);
      return;
    }
    this.listenForSilence();
    this.store.receive(frame, nowMs);
    this.store.setConnection('live', this.store.serverNow(nowMs));
  }

  /** The server is being stopped, and another one continues: nothing is lost, and nothing is said. */
  private resume(afterMs: number): void {
    this.close();
    this.retry?.cancel();
    this.retry = browserClock.after(afterMs, () => this.reopen());
  }

  /** The browser's own reconnection would use the old cursors, so the source is always closed and made anew. */
  private lose(): void {
    const wasLive = this.store.connection().status === 'live';
    this.close();
    // The server ends streams of a certain age on purpose: the first try is at once and says nothing.
    const delayMs = wasLive && this.retryMs === FIRST_RETRY_MS ? 50 : this.retryMs;
    if (delayMs === this.retryMs) this.store.setConnection('lost', this.store.serverNow(browserClock.now()));
    this.retryMs = delayMs === this.retryMs ? Math.min(this.retryMs * 2, LAST_RETRY_MS) : this.retryMs * 2;
    this.retry = browserClock.after(delayMs, () => this.reopen());
  }

  private listenForSilence(): void {
    this.silence?.cancel();
    this.silence = browserClock.after(SILENCE_MS, () => this.lose());
  }

  private close(): void {
    this.silence?.cancel();
    this.source?.close();
    this.source = undefined;
    this.openTopics = '';
  }
}
