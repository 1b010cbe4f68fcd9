import { arrayAt, stringAt } from '@/lib/json/json';
import type { WorkloadContext } from '../core/context';
import { resources } from '../core/resources';

/**
 * True when a Job of the namespace that has the rights of a service account of its own has ended well: objects that
 * such a program makes through the API (certificates, tokens) are never made here, since nobody runs it, and are taken
 * to be there.
 */
export function madeByJob(context: WorkloadContext, namespace: string): boolean {
  return context.list(resources.jobs, namespace).some((job) => {
    const account = stringAt(job, 'spec', 'template', 'spec', 'serviceAccountName') ?? 'default';
    const isComplete = arrayAt(job, 'status', 'conditions').some(
      (condition) => stringAt(condition, 'type') === 'Complete' && stringAt(condition, 'status') === 'True',
    );
    return account !== 'default' && isComplete;
  });
}
