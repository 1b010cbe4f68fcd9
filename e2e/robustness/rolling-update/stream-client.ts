import type { KubeObject } from '@/lib/kube/object';
import type { LiveFrame } from '@/lib/live/frames';
import { applyFrame, LOADING_VIEW, type TopicView } from '@/lib/live/view';

/** Follows one topic as a browser does: over any number of streams, each of which goes on from the cursor of the one before. */
export class StreamClient {
  private view: TopicView = LOADING_VIEW;
  private ended = false;
  private readonly abort = new AbortController();
  /** Versions of servers in the order of their streams. */
  readonly versions: string[] = [];
  /** What ended a stream without the server having said so. */
  readonly breaks: string[] = [];
  /** The resourceVersions that were shown, by key of the object. */
  readonly shown = new Map<string, Set<string>>();
  /** How many streams the server ended with `resume`. */
  resumes = 0;
  readonly finished: Promise<void>;

  /** @param bases gives the addresses of the consoles that a load balancer would send it to now */
  constructor(
    private readonly topic: string,
    private readonly bases: () => readonly string[],
  ) {
    this.finished = this.run();
  }

  async stop(): Promise<void> {
    this.ended = true;
    this.abort.abort();
    await this.finished;
  }

  private async run(): Promise<void> {
    while (!this.ended) {
      const afterMs = await this.readOne().catch((error: unknown) => {
        if (!this.ended) this.breaks.push(String(error instanceof Error ? (error.cause ?? error) : error));
        return 50;
      });
      if (!this.ended) await new Promise((resolve) => setTimeout(resolve, afterMs));
    }
  }

  /** @returns the milliseconds after which the server wants to see it again */
  private async readOne(): Promise<number> {
    const { cursor } = this.view;
    const query = new URLSearchParams({ topic: cursor === undefined ? this.topic : `${this.topic}~${cursor}` });
    const base = this.bases()[0] ?? '';
    const response = await fetch(`${base}/api/live?${query}`, { signal: this.abort.signal });
    if (response.body === null || !response.ok) throw new Error(`${base} answers ${response.status}`);
    let text = '';
    let afterMs: number | undefined;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const frame = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as LiveFrame;
        if (frame.type === 'resume') afterMs = frame.afterMs;
        else this.take(frame);
      }
    }
    if (afterMs === undefined) throw new Error('the stream ended without "resume"');
    this.resumes += 1;
    return afterMs;
  }

  private take(frame: LiveFrame): void {
    if (frame.type === 'hello') this.versions.push(frame.version);
    if (!('topic' in frame)) return;
    this.view = applyFrame(this.view, frame);
    if (frame.type === 'snapshot') for (const object of frame.objects) this.note(object);
    if (frame.type === 'delta') for (const object of frame.changed) this.note(object);
  }

  private note({ metadata: { namespace = '', name = '', resourceVersion = '' } }: KubeObject): void {
    const key = `${namespace}/${name}`;
    this.shown.set(key, (this.shown.get(key) ?? new Set()).add(resourceVersion));
  }
}
