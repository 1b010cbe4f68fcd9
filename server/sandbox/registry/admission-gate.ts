import { cloneJson, isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { ResourceInfo } from './resource-info';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** One write as admission sees it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly info: ResourceInfo;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string | undefined;
  /** The kind of `object` where it is not that of the resource, as an Eviction is not a Pod. */
  readonly form?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Absent for DELETE. */
  readonly object: KubeObject | undefined;
  /** Absent for CREATE. */
  readonly old: KubeObject | undefined;
}

/** What webhooks made of a request; a refusal is thrown instead. */
export interface AdmissionAnswer {
  readonly object: KubeObject | undefined;
}

/** A write came to the point where webhooks have to be asked: ask them, then write again. */
export class AdmissionNeeded extends Error {
  constructor(
    readonly request: AdmissionRequest,
    readonly key: string,
  ) {
    super('Webhooks have to be asked first.');
  }
}

/**
 * Writes are made in one turn of the event loop, webhooks take many. So a write that webhooks want to see is run twice: the
 * first time it stops at the gate, with the object as it was then; after the answer it runs anew and passes, if the object and
 * the stored state are still the same. If another write came between, the webhooks are asked about the new state.
 */
export class AdmissionGate {
  private readonly answers = new Map<string, AdmissionAnswer>();

  /** @param concerns whether any webhook wants to see the request */
  constructor(private readonly concerns: (request: AdmissionRequest) => boolean) {}

  /**
   * The object as webhooks left it; the same one when none wants to see it.
   * @throws AdmissionNeeded when they have not been asked about exactly this
   */
  pass(request: AdmissionRequest): KubeObject | undefined {
    const key = this.answers.size === 0 ? undefined : keyOf(request);
    const answer = key === undefined ? undefined : this.answers.get(key);
    if (answer !== undefined) return cloneJson(answer.object);
    if (!this.concerns(request)) return request.object;
    throw new AdmissionNeeded({ ...request, object: cloneJson(request.object) }, key ?? keyOf(request));
  }

  /** Remembers the answer to a request that was stopped. */
  answer(needed: AdmissionNeeded, answer: AdmissionAnswer): void {
    this.answers.set(needed.key, answer);
  }
}

function keyOf({ operation, object, old }: AdmissionRequest): string {
  const { uid = null, resourceVersion = null } = old?.metadata ?? {};
  return JSON.stringify([operation, withoutTimes(object) ?? null, uid, resourceVersion]);
}

/** An apply says when it was made: a webhook that takes longer than a second would otherwise be asked again and again. */
function withoutTimes(object: KubeObject | undefined): KubeObject | undefined {
  const managers = object?.metadata.managedFields;
  if (object === undefined || managers === undefined) return object;
  const managedFields = managers.map((entry) => (isJsonObject(entry) ? { ...entry, time: '' } : entry));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}
