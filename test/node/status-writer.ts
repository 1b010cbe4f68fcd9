import { messageOf } from '@/lib/errors/errors';
import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { Cluster } from './cluster';
import { PODS } from './resources';
import { pause } from './tools';

const GATHER_MS = 20;
const RETRY_MS = 500;

/** Writes the status of one pod, one request at a time, when it differs from what was written last. */
export class StatusWriter {
  private written: JsonObject | undefined;
  private writing: Promise<void> | undefined;
  private isWanted = false;
  private readonly stopper = new AbortController();

  constructor(
    private readonly cluster: Cluster,
    private readonly current: () => { readonly pod: KubeObject; readonly status: JsonObject },
  ) {}

  schedule(): void {
    this.isWanted = true;
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
      if (this.isWanted && !this.stopper.signal.aborted) this.schedule();
    });
  }

  /** Resolves when the present status is written. */
  async flush(): Promise<void> {
    this.schedule();
    while (this.writing !== undefined) await this.writing;
  }

  stop(): void {
    this.stopper.abort();
  }

  private async write(): Promise<void> {
    const { signal } = this.stopper;
    await pause(GATHER_MS, signal);
    while (this.isWanted && !signal.aborted) {
      this.isWanted = false;
      const { pod, status } = this.current();
      if (this.written !== undefined && jsonEqual(this.written, status)) return;
      try {
        const target = { ...PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
        const body = { metadata: { uid: pod.metadata.uid ?? '' }, status };
        await this.cluster.api.patch(target, 'merge', body, { subresource: 'status' });
        this.written = status;
      } catch (error) {
        // The pod was deleted by force, or another one has its name.
        if (/not found|uid/i.test(messageOf(error))) return;
        this.cluster.log.warn('status.failed', { pod: nameOf(pod), error: messageOf(error) });
        this.isWanted = true;
        await pause(RETRY_MS, signal);
      }
    }
  }
}
