import { arrayAt, type JsonObject, objectAt, setOwn, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { nameOf } from '@/lib/kube/object';
import { podFromTemplate } from '../pods/pod-template';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';

export function isIndexed(job: KubeObject): boolean {
  return stringAt(job, 'spec', 'completionMode') === 'Indexed';
}

/** The completion index in the annotations of a pod, or undefined. */
export function indexOf(pod: KubeObject): number | undefined {
  const text = pod.metadata.annotations?.[INDEX];
  return text === undefined ? undefined : Number(text);
}

/** A pod of the Job; an Indexed one knows its index by annotation, label, host name and environment. */
export function jobPod(job: KubeObject, index: number | undefined): KubeObject {
  const name = index === undefined ? nameOf(job) : `${nameOf(job)}-${index}`;
  const pod = podFromTemplate(job, objectAt(job, 'spec', 'template'), `${name}-`);
  const labels = { ...pod.metadata.labels, ...(objectAt(job, 'spec').manualSelector === true ? {} : jobLabels(job)) };
  pod.metadata.labels = labels;
  pod.metadata.finalizers = [...(pod.metadata.finalizers ?? []), TRACKING];
  if (index === undefined) return pod;
  pod.metadata.annotations = { ...pod.metadata.annotations, [INDEX]: String(index) };
  labels[INDEX] = String(index);
  const spec = objectAt(pod, 'spec');
  spec.hostname = name;
  for (const container of [...arrayAt(spec, 'initContainers'), ...arrayAt(spec, 'containers')])
    addIndexVariable(container);
  return pod;
}

/** The labels by which a Job's pods are known; the API server writes them into the template (generateSelector). */
function jobLabels(job: KubeObject): { [key: string]: string } {
  const uid = job.metadata.uid ?? '';
  const name = nameOf(job);
  return {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
}

function addIndexVariable(container: unknown): void {
  const target = objectAt(container);
  const env = arrayAt(target, 'env');
  if (env.some((variable) => stringAt(variable, 'name') === 'JOB_COMPLETION_INDEX')) return;
  const fieldRef: JsonObject = { apiVersion: 'v1', fieldPath: `metadata.labels['${INDEX}']` };
  setOwn(target, 'env', [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }]);
}

/** A range that a person writes may name more numbers than fit into memory; no Job has more indexes at work. */
const MOST_INDEXES = 100_000;

/** `0-2,5` → the set of its numbers below `end`, the first hundred thousand of them. */
export function parseIndexes(text: string | undefined, end: number): Set<number> {
  const result = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    if (part === '') continue;
    const [from = '', to = from] = part.split('-');
    const last = Math.min(Number(to), end - 1);
    for (let index = Number(from); index <= last && result.size < MOST_INDEXES; index++) result.add(index);
  }
  return result;
}

/** The reverse: runs of three or more as `first-last`, shorter ones one by one (Kubernetes orderedIntervals). */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++;
    if (end - at >= 2) parts.push(`${sorted[at]}-${sorted[end]}`);
    else parts.push(...sorted.slice(at, end + 1).map(String));
    at = end + 1;
  }
  return parts.join(',');
}
