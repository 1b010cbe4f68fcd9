import type { HealthState } from '@/lib/kube/health/verdict';
import type { StatusKey } from './status-words';

/** The status key for the health of an object. */
export const healthStatus: { readonly [state in HealthState]: StatusKey } = {
  healthy: 'healthy',
  progressing: 'waiting',
  failed: 'FATAL_ERROR',
  unknown: 'unknown',
};
