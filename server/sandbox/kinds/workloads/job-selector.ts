import type { JsonObject } from '@/lib/json/json';
import { ensureObject, objectOf, textOf } from '../base/access';

const PREFIX = 'batch.kubernetes.io/';

/**
 * Makes the selector of a Job and the labels of its pods from the Job's uid and name, unless `manualSelector` is set
 * (Kubernetes pkg/registry/batch/job generateSelector).
 */
export function generateSelector(job: JsonObject): void {
  const spec = ensureObject(job, 'spec');
  if (spec.manualSelector === true) return;
  const metadata = ensureObject(job, 'metadata');
  const uid = textOf(metadata, 'uid');
  const name = textOf(metadata, 'name');
  const template = ensureObject(spec, 'template');
  const labels = ensureObject(ensureObject(template, 'metadata'), 'labels');
  const generated = {
    [`${PREFIX}controller-uid`]: uid,
    'controller-uid': uid,
    [`${PREFIX}job-name`]: name,
    'job-name': name,
  };
  for (const [key, value] of Object.entries(generated)) labels[key] = labels[key] ?? value;
  const selector = ensureObject(spec, 'selector');
  const matchLabels = { ...objectOf(selector, 'matchLabels') };
  matchLabels[`${PREFIX}controller-uid`] = uid;
  selector.matchLabels = matchLabels;
  // Labels that are not set become those of the template when the stored object is read.
  if (Object.keys(objectOf(metadata, 'labels') ?? {}).length === 0) metadata.labels = { ...labels };
}
