import { TerminalError } from '@/lib/errors/errors';
import { OPERATOR_UPGRADES, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import type { ClusterSession } from '../support/session';

/** @throws TerminalError when it does not exist */
export async function requireUpgrade({ api, namespace }: ClusterSession, name: string): Promise<OperatorUpgrade> {
  const found = (await api.get({ ...OPERATOR_UPGRADES, namespace, name })) as OperatorUpgrade | undefined;
  if (found !== undefined) return found;
  throw new TerminalError(`upgrade ${namespace}/${name} does not exist`, 'NotFound');
}
