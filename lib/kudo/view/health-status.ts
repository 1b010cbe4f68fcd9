import type { HealthState } from '@/lib/kube/health/verdict';
import type { StatusKey } from './status-words';

/** An object's health in the vocabulary of states. */
export const healthStatus: { readonly [state in HealthState]: StatusKey } = {
  healthy: 'healthy',
  progressing: 'waiting',
  failed: 'FATAL_ERROR',
  unknown: 'unknown',
};
