import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import {
  OPERATOR_UPGRADE_API_VERSION,
  OPERATOR_UPGRADES,
  type OperatorUpgrade,
  type OperatorUpgradeSpec,
} from '@/lib/kudo/upgrades/operator-upgrade';
import type { ClusterSession } from '../support/session';

/** @throws TerminalError when it does not exist */
export async function requireUpgrade({ api, namespace }: ClusterSession, name: string): Promise<OperatorUpgrade> {
  const found = (await api.get({ ...OPERATOR_UPGRADES, namespace, name })) as OperatorUpgrade | undefined;
  if (found !== undefined) return found;
  throw new TerminalError(`upgrade ${namespace}/${name} does not exist`, 'NotFound');
}

/** Creates an OperatorUpgrade; without a name it gets one that begins with its operator. */
export async function createUpgrade(
  { api, namespace }: ClusterSession,
  name: string | undefined,
  spec: OperatorUpgradeSpec,
): Promise<KubeObject> {
  const metadata = name === undefined ? { namespace, generateName: `${spec.operator ?? ''}-` } : { namespace, name };
  const object = { apiVersion: OPERATOR_UPGRADE_API_VERSION, kind: 'OperatorUpgrade', metadata, spec };
  return api.create({ ...OPERATOR_UPGRADES, namespace }, object);
}
