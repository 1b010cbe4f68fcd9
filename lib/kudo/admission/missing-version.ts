import { operatorVersionKey } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';

/** Why nothing can be decided about an Instance whose OperatorVersion does not exist, and the way out. */
export function missingVersion(instance: Instance): string {
  const { namespace, name } = operatorVersionKey(instance);
  if (name === '') return 'spec.operatorVersion.name is missing; it names the OperatorVersion that the Instance runs';
  return `OperatorVersion "${name}" is not in namespace ${namespace}; install it there first, or correct spec.operatorVersion.name`;
}
