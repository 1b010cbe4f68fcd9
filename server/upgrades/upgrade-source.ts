import { TerminalError } from '@/lib/errors/errors';
import { OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import type { OperatorVersion } from '@/lib/kudo/types';
import type { Release } from '@/lib/kudo/upgrades/find-path';
import { OPERATOR_SUBSCRIPTIONS, type OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import type { Api } from '@/server/kube/api';
import type { ReleaseSource } from '@/server/packages/package-reference';
import { type OpenRepository, subscribedRepository } from './open-repository';
import type { UpgradeQuestion } from './parse-upgrade';
import { type UpgradeWish, versionsOf } from './plan-upgrade';

/** Where an upgrade of the console finds its versions: in the repository of a subscription that the person may read, else in the catalogue. */
export async function upgradeSource(
  api: Api,
  { namespace, subscription, wish }: UpgradeQuestion,
  { catalogue, openRepository }: { readonly catalogue: ReleaseSource; readonly openRepository: OpenRepository },
): Promise<{ readonly source: ReleaseSource; readonly wish: UpgradeWish }> {
  if (subscription === undefined) return { source: withInstalled(api, namespace, catalogue), wish };
  const target = { ...OPERATOR_SUBSCRIPTIONS, namespace, name: subscription };
  const found = (await api.get(target)) as OperatorSubscription | undefined;
  if (found === undefined) {
    throw new TerminalError(
      `OperatorSubscription ${subscription} does not exist in namespace ${namespace}.`,
      'NotFound',
    );
  }
  const { spec = {} } = found;
  return {
    source: subscribedRepository(api, { namespace, spec }, openRepository),
    wish: { channel: spec.channel, ...wish },
  };
}

/** The catalogue, and versions that only the namespace has. */
function withInstalled(api: Api, namespace: string, catalogue: ReleaseSource): ReleaseSource {
  return {
    find: (reference) => catalogue.find(reference),
    async releases(operator) {
      const listed = await catalogue.releases(operator);
      const { items } = await api.list({ ...OPERATOR_VERSIONS, namespace });
      const installed = (items as OperatorVersion[])
        .filter(({ spec }) => spec?.operator?.name === operator)
        .map(versionsOf);
      const isListed = (one: Release) =>
        listed.some((each) => each.operatorVersion === one.operatorVersion && each.appVersion === one.appVersion);
      return [...listed, ...installed.filter((each) => !isListed(each))];
    },
  };
}
