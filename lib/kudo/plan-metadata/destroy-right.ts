import type { Instance } from '@/lib/kudo/types';
import { ADMIN_ROLE, DESTROY_VERB } from './destroy-verb';

/**
 * Why a plan that is marked destructive does not start for who asked for it, as a sentence without its full stop: the webhook's refusal,
 * and the words of the disabled button.
 *
 * @param who `User "jo"`, or `You`
 */
export function destroyRefusal({ metadata }: Pick<Instance, 'metadata'>, plan: string, who: string): string {
  const { namespace = '', name = '' } = metadata;
  return `plan "${plan}" of Instance ${name} deletes or replaces data: ${who} may not ${DESTROY_VERB} instances.kudo.dev in namespace ${namespace}. ClusterRole ${ADMIN_ROLE} allows it: an administrator can bind it, or start the plan`;
}
