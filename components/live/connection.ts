import type { Timer } from '@/lib/clock/clock';
import type { LiveFrame } from '@/lib/live/frames';
import { checkLine, checkShownLine, hasSlept, LINE_CHECK_MS, type LineState } from '@/lib/live/line-check';
import type { LiveStore } from '@/lib/live/store';
import { serverPath } from './address';
import { browserClock } from './clock';
import { onViewChange, reportOtherView } from './view-change';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;
const FRAME_TYPES = ['hello', 'snapshot', 'delta', 'problem', 'stale', 'tick', 'controller', 'resume'] as const;

/**
 * Keeps one event stream open for everything that is wanted. Opens it anew, going on from the cursors, when the wanted
 * topics change and after a loss.
 *
 * States: idle (nothing wanted) → connecting → live → lost (waits, then connecting). `stop` ends all. So does a stream of another view than
 * the page's: what it brings is another user's.
 *
 * After a sleep of the computer, and when the network comes or goes, the stream is opened again at once: a socket does not notice that its
 * other end has gone. A console on the same machine stays live without a network.
 */
export class LiveConnection {
  private readonly store: LiveStore;
  /** As whom the page was rendered: server/auth/view-mark. */
  private readonly view: string;
  private source: EventSource | undefined;
  private openTopics = '';
  private retryMs = FIRST_RETRY_MS;
  private retry: Timer | undefined;
  private check: Timer | undefined;
  /** When the last frame came, or the stream was opened. */
  private heardAtMs = 0;
  private isAnswered = false;
  private checkedAtMs = 0;
  private pendingChange: Timer | undefined;
  private readonly stops: (() => void)[] = [];

  constructor(store: LiveStore, view: string) {
    this.store = store;
    this.view = view;
  }

  start(): void {
    this.stops.push(this.store.onWanted(() => this.wantedChanged()));
    const wake = () => this.wake();
    const seen = () => this.shown();
    const heard = [
      [window, 'online', wake],
      [window, 'offline', wake],
      // A page that the browser had frozen or kept in its cache.
      [document, 'resume', wake],
      [window, 'pageshow', seen],
      [window, 'focus', seen],
      [document, 'visibilitychange', seen],
    ] as const;
    for (const [target, type, listener] of heard) target.addEventListener(type, listener);
    this.stops.push(
      onViewChange(wake),
      ...heard.map(
        ([target, type, listener]) =>
          () =>
            target.removeEventListener(type, listener),
      ),
    );
    this.checkedAtMs = browserClock.now();
    this.checkLater();
    this.wantedChanged();
  }

  stop(): void {
    for (const end of this.stops.splice(0)) end();
    this.pendingChange?.cancel();
    this.check?.cancel();
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

  /** Opens the stream again now, whatever the wait for the next try was. */
  private wake(): void {
    this.retryMs = FIRST_RETRY_MS;
    this.reopen();
  }

  private shown(): void {
    if (document.visibilityState !== 'visible') return;
    if (this.store.connection().status === 'lost') this.wake();
    else if (this.source !== undefined)
      this.act(checkShownLine({ nowMs: browserClock.now(), heardAtMs: this.heardAtMs }));
  }

  private act(line: LineState): void {
    if (line === 'good') return;
    const isLive = this.store.connection().status === 'live';
    if (line !== 'doubtful' && isLive) this.store.setConnection('lost', this.store.serverNow(browserClock.now()));
    if (line !== 'unanswered') this.wake();
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
    this.heardAtMs = browserClock.now();
    this.isAnswered = false;
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
    this.heardAtMs = nowMs;
    this.isAnswered = true;
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

  private checkLater(): void {
    this.check = browserClock.after(LINE_CHECK_MS, () => {
      const nowMs = browserClock.now();
      const { heardAtMs, checkedAtMs, isAnswered } = this;
      this.checkedAtMs = nowMs;
      this.checkLater();
      const isVisible = document.visibilityState === 'visible';
      if (this.source !== undefined) this.act(checkLine({ nowMs, heardAtMs, checkedAtMs, isAnswered, isVisible }));
      // The next try may be half a minute away, of which the sleep did not count.
      else if (isVisible && hasSlept({ nowMs, checkedAtMs })) this.wake();
    });
  }

  private close(): void {
    this.source?.close();
    this.source = undefined;
    this.openTopics = '';
  }
}
