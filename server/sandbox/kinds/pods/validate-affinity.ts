import type { JsonObject } from '@/lib/json/json';
import { objectOf } from '../base/access';
import type { Faults } from '../base/kind-rules';
import { checkNodeSelector } from '../validation/selectors';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** Where a pod wants to be (Kubernetes pkg/apis/core/validation validateAffinity). */
export function validateAffinity(affinity: JsonObject | undefined, path: string, faults: Faults): void {
  const node = objectOf(affinity, 'nodeAffinity');
  checkNodeSelector(objectOf(node, REQUIRED), `${path}.nodeAffinity.${REQUIRED}`, faults);
}
