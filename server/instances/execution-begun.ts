import type { KubeObject } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';

/**
 * The UID of the execution that a write began, out of what the API server stored; undefined when it began none, or when no admission webhook
 * decided: then the controller begins it later, under a UID of its own.
 */
export function executionBegun(before: Instance | undefined, written: KubeObject): string | undefined {
  const uid = (written as Instance).spec?.planExecution?.uid ?? '';
  return uid === '' || uid === before?.spec?.planExecution?.uid ? undefined : uid;
}
