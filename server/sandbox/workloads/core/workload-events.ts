import type { Clock } from '@/lib/clock/clock';
import { formatTime } from '@/lib/clock/clock';
import { type JsonObject, numberAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Random } from '@/lib/random/random';
import type { SandboxApi } from '../../api';
import { withoutZeros } from './conditions';
import { isStatusCode } from './failures';
import { resources } from './resources';

export interface EventDetails {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** Who says it: `kubelet`, `default-scheduler`, `deployment-controller` … */
  readonly component: string;
  readonly host?: string;
  /** `spec.containers{app}` for events of one container. */
  readonly fieldPath?: string;
}

const MAX_REMEMBERED = 4096;

/**
 * Writes core/v1 Events as client-go's recorder does: the same message about the same object counts up instead of
 * making a new one (Kubernetes client-go tools/record).
 */
export class WorkloadEvents {
  /** Name of the Event by what it says; bounded, the oldest is forgotten. */
  private readonly nameByMeaning = new Map<string, string>();

  constructor(private readonly options: { api: SandboxApi; clock: Clock; random: Random }) {}

  normal(component: string, about: KubeObject, reason: string, message: string): void {
    this.record(about, { type: 'Normal', reason, message, component });
  }

  warning(component: string, about: KubeObject, reason: string, message: string): void {
    this.record(about, { type: 'Warning', reason, message, component });
  }

  /** Records it; a namespace that is going away takes no more events, which is no failure. */
  record(about: KubeObject, details: EventDetails): void {
    const namespace = namespaceOf(about) || 'default';
    const { reason, message, fieldPath = '', component } = details;
    const meaning = [about.metadata.uid, reason, message, fieldPath, component].join('\n');
    try {
      if (!this.countUp(namespace, meaning)) this.create(about, namespace, meaning, details);
    } catch (error) {
      if (!isStatusCode(error, 403, 404, 409)) throw error;
    }
  }

  private countUp(namespace: string, meaning: string): boolean {
    const name = this.nameByMeaning.get(meaning);
    if (name === undefined) return false;
    const key = { ...resources.events, namespace, name };
    const present = this.options.api.get(key);
    if (present === undefined) return false;
    const count = (numberAt(present, 'count') ?? 1) + 1;
    this.options.api.patch(key, { count, lastTimestamp: formatTime(this.options.clock.now()) });
    return true;
  }

  private create(about: KubeObject, namespace: string, meaning: string, details: EventDetails): void {
    const name = `${nameOf(about)}.${this.suffix()}`;
    const time = formatTime(this.options.clock.now());
    this.options.api.create(
      { ...resources.events, namespace },
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: involvedObject(about, details.fieldPath),
        reason: details.reason,
        message: details.message,
        source: { component: details.component, ...(details.host === undefined ? {} : { host: details.host }) },
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
        type: details.type,
        eventTime: null,
        reportingComponent: details.component,
        reportingInstance: details.host ?? '',
      },
    );
    if (this.nameByMeaning.size >= MAX_REMEMBERED) {
      const [oldest = ''] = this.nameByMeaning.keys();
      this.nameByMeaning.delete(oldest);
    }
    this.nameByMeaning.set(meaning, name);
  }

  private suffix(): string {
    return Array.from(this.options.random.bytes(8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

function involvedObject(about: KubeObject, fieldPath: string | undefined): JsonObject {
  const { uid, resourceVersion } = about.metadata;
  const { kind, apiVersion } = about;
  const namespace = namespaceOf(about) || undefined;
  return withoutZeros({ kind, namespace, name: nameOf(about), uid, apiVersion, resourceVersion, fieldPath });
}
