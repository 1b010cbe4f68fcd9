import { cloneJson, type JsonObject, objectAt } from '@/lib/json/json';
import type { Random } from '@/lib/random/random';
import { type KubeObject, nameOf, namespaceOf, type ObjectMeta } from '../object';
import { withoutOwnershipMarks } from '../ownership/tool-owner';

/** Pods of a Job carry its name in labels, so it is a label value too (Kubernetes ValidateJob). */
const MOST_CHARS = 63;

/** `backup-x7k2p`, at most 63 characters. */
export function newJobName(of: string, suffix: string): string {
  return `${of.slice(0, MOST_CHARS - suffix.length - 1).replace(/[-.]+$/, '')}-${suffix}`;
}

/** Without vowels and digits that look like them, as Kubernetes has it (apimachinery util/rand). */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters that make the name of a new object its own. */
export function randomSuffix(random: Random): string {
  return [...random.bytes(5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** A Job that a CronJob would start now (kubectl create job --from): it belongs to the CronJob and says that it was started by hand. */
export function cronJobJob(cronJob: KubeObject, name: string): JsonObject {
  const template = objectAt(cronJob, 'spec', 'jobTemplate');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: namespaceOf(cronJob),
      labels: objectAt(template, 'metadata', 'labels'),
      annotations: { ...objectAt(template, 'metadata', 'annotations'), 'cronjob.kubernetes.io/instantiate': 'manual' },
      // Without blockOwnerDeletion, which would need the right to update finalizers of the CronJob.
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: nameOf(cronJob),
          uid: cronJob.metadata.uid ?? '',
          controller: true,
        },
      ],
    },
    spec: cloneJson(objectAt(template, 'spec')),
  };
}

/** Labels that the API server generates for the pods of one Job (Kubernetes batch/v1 JobControllerUIDLabel and others). */
const GENERATED_LABELS = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
];

/**
 * A new Job with the spec of an old one. What belongs to the old Job alone is left out: its selector and generated labels, its owner, the
 * records of who applied it, and the marks of tools that manage it.
 */
export function rerunJob(job: KubeObject, name: string): JsonObject {
  const spec = cloneJson(objectAt(job, 'spec'));
  delete spec.selector;
  delete spec.suspend;
  const podLabels = objectAt(spec, 'template', 'metadata', 'labels');
  for (const label of GENERATED_LABELS) delete podLabels[label];
  const { labels, annotations } = withoutOwnershipMarks(job.metadata);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: namespaceOf(job),
      labels: keptEntries(labels, (key) => !GENERATED_LABELS.includes(key) && !isOfKudo(key)),
      annotations: keptEntries(annotations, (key) => !isRecord(key) && !isOfKudo(key)),
    },
    spec,
  };
}

/** An object with these labels counts as one that a plan applied: the plan would delete the copy as a leftover. */
function isOfKudo(key: string): boolean {
  return /^(.*\.)?kudo\.dev\//.test(key);
}

function isRecord(key: string): boolean {
  return (
    key === 'kubectl.kubernetes.io/last-applied-configuration' ||
    key.startsWith('batch.kubernetes.io/') ||
    key.startsWith('cronjob.kubernetes.io/')
  );
}

function keptEntries(from: ObjectMeta['labels'], isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(from ?? {}).filter(([key]) => isKept(key)));
}
