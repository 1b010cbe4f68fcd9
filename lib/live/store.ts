import type { ControllerWord, LiveFrame, LiveSeed } from './frames';
import type { Topic } from './topic';
import { formatTopic } from './topic';
import { applyFrame, LOADING_VIEW, type TopicView } from './view';

/** The state of the connection to `/api/live`. */
export interface ConnectionView {
  /** `live` when the stream is open and has answered for one of the topics at least. */
  readonly status: 'connecting' | 'live' | 'lost';
  /** True while a topic that this tab follows has had no answer: its rows are not known. */
  readonly isWaiting: boolean;
  /** Since when, in server time. */
  readonly sinceMs: number;
  /** How long the newest change took from the server to here; undefined before the first. */
  readonly latencyMs: number | undefined;
  /** Where the server's controller is; undefined until the server said so. */
  readonly controller: ControllerWord | undefined;
  /** Since when the server itself hears nothing of the cluster, of what this tab follows (server time); undefined while it does. */
  readonly staleSinceMs: number | undefined;
}

/**
 * What the browser knows: one view a topic, who wants which topic, and the connection. Pure: time comes in with the calls.
 */
export class LiveStore {
  private readonly views = new Map<string, TopicView>();
  private readonly seeded = new Map<string, TopicView>();
  private readonly wanted = new Map<string, number>();
  private readonly topicListeners = new Map<string, Set<() => void>>();
  private readonly connectionListeners = new Set<() => void>();
  private readonly wantedListeners = new Set<() => void>();
  private connectionView: ConnectionView;
  private stream: ConnectionView['status'] = 'connecting';
  private hasAnswer = false;
  /** Local time less server time, the smallest seen: what the fastest frame took is not known. */
  private offsetMs: number | undefined;

  constructor(nowMs: number) {
    this.connectionView = {
      status: 'connecting',
      isWaiting: false,
      sinceMs: nowMs,
      latencyMs: undefined,
      controller: undefined,
      staleSinceMs: undefined,
    };
  }

  /** The state that the server rendered with. Does not overwrite a topic that is being followed. */
  seed(frames: LiveSeed): void {
    for (const frame of frames) {
      if (!('topic' in frame)) continue;
      const view = applyFrame(LOADING_VIEW, frame);
      this.seeded.set(frame.topic, view);
      if (!this.wanted.has(frame.topic)) this.views.set(frame.topic, view);
    }
  }

  /** The view of a topic now. */
  view(topic: string): TopicView {
    return this.views.get(topic) ?? LOADING_VIEW;
  }

  /** The view that the server rendered, for hydration. */
  seededView(topic: string): TopicView {
    return this.seeded.get(topic) ?? LOADING_VIEW;
  }

  /** Declares interest in a topic; the result takes it back. */
  want(topic: Topic): () => void {
    const key = formatTopic(topic);
    this.wanted.set(key, (this.wanted.get(key) ?? 0) + 1);
    if (this.wanted.get(key) === 1) notify(this.wantedListeners);
    this.measureAnswers(this.connectionView.sinceMs);
    let taken = false;
    return () => {
      if (taken) return;
      taken = true;
      const left = (this.wanted.get(key) ?? 1) - 1;
      if (left > 0) this.wanted.set(key, left);
      else this.wanted.delete(key);
      if (left === 0) notify(this.wantedListeners);
      this.measureStaleness();
      this.measureAnswers(this.connectionView.sinceMs);
    };
  }

  /** The topics that somebody wants, each with the cursor to go on from. */
  subscriptions(): { topic: string; cursor: string | undefined }[] {
    return [...this.wanted.keys()].sort().map((topic) => ({ topic, cursor: this.view(topic).cursor }));
  }

  /** Takes a frame in. `localNowMs` is the browser's own time. */
  receive(frame: LiveFrame, localNowMs: number): void {
    if ('nowMs' in frame) this.measure(frame, localNowMs);
    if (frame.type === 'controller') this.setController(frame.state);
    if (!('topic' in frame)) return;
    this.views.set(frame.topic, applyFrame(this.view(frame.topic), frame));
    notify(this.topicListeners.get(frame.topic));
    this.measureStaleness();
    this.measureAnswers(this.serverNow(localNowMs));
  }

  connection(): ConnectionView {
    return this.connectionView;
  }

  /** What the stream is; until it has answered for a topic, one that is open counts as connecting. */
  setConnection(status: ConnectionView['status'], nowMs: number): void {
    this.stream = status;
    this.measureAnswers(nowMs);
  }

  private measureAnswers(nowMs: number): void {
    const answers = [...this.wanted.keys()].map((topic) => this.view(topic).status !== 'loading');
    this.hasAnswer ||= answers.includes(true);
    const isWaiting = answers.includes(false);
    const isUnanswered = this.stream === 'live' && isWaiting && !this.hasAnswer;
    const status = isUnanswered ? 'connecting' : this.stream;
    const { connectionView: before } = this;
    if (before.status === status && before.isWaiting === isWaiting) return;
    this.connectionView = {
      ...before,
      status,
      isWaiting,
      sinceMs: before.status === status ? before.sinceMs : nowMs,
    };
    notify(this.connectionListeners);
  }

  /** The oldest staleness of the wanted topics counts: a page is as old as its oldest part. */
  private measureStaleness(): void {
    let oldest: number | undefined;
    for (const topic of this.wanted.keys()) {
      const { staleSinceMs } = this.view(topic);
      if (staleSinceMs !== undefined) oldest = Math.min(oldest ?? staleSinceMs, staleSinceMs);
    }
    if (oldest === this.connectionView.staleSinceMs) return;
    this.connectionView = { ...this.connectionView, staleSinceMs: oldest };
    notify(this.connectionListeners);
  }

  private setController(controller: ControllerWord): void {
    if (this.connectionView.controller === controller) return;
    this.connectionView = { ...this.connectionView, controller };
    notify(this.connectionListeners);
  }

  /** Server time that belongs to a local time; equal before the first frame. */
  serverNow(localNowMs: number): number {
    return localNowMs - (this.offsetMs ?? 0);
  }

  onTopic(topic: string, listener: () => void): () => void {
    const listeners = this.topicListeners.get(topic) ?? new Set();
    this.topicListeners.set(topic, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  onConnection(listener: () => void): () => void {
    this.connectionListeners.add(listener);
    return () => this.connectionListeners.delete(listener);
  }

  onWanted(listener: () => void): () => void {
    this.wantedListeners.add(listener);
    return () => this.wantedListeners.delete(listener);
  }

  private measure(frame: Extract<LiveFrame, { nowMs: number }>, localNowMs: number): void {
    const apartMs = localNowMs - frame.nowMs;
    this.offsetMs = this.offsetMs === undefined ? apartMs : Math.min(this.offsetMs, apartMs);
    if (frame.type === 'tick') return;
    const latencyMs = Math.round((apartMs - this.offsetMs) / 100) * 100;
    if (latencyMs === this.connectionView.latencyMs) return;
    this.connectionView = { ...this.connectionView, latencyMs };
    notify(this.connectionListeners);
  }
}

function notify(listeners: ReadonlySet<() => void> | undefined): void {
  for (const listener of [...(listeners ?? [])]) listener();
}
