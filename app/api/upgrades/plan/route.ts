import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';
import { repositoryOpener } from '@/server/upgrades/open-repository';
import { parsePlanQuestion } from '@/server/upgrades/parse-upgrade';
import { planUpgrades } from '@/server/upgrades/start-upgrade';
import { upgradeSource } from '@/server/upgrades/upgrade-source';

/** What an upgrade of some Instances would do, in their order. Writes nothing. */
export const POST = route(async ({ session: { api }, body }) => {
  const { catalogue, clock, notices } = runtime();
  const asked = parsePlanQuestion(body);
  const openRepository = repositoryOpener({ clock, allowLocal: notices.allowLocal });
  const { source, wish } = await upgradeSource(api, asked, { catalogue, openRepository });
  return json({ plans: await planUpgrades({ api, clock, source }, asked.namespace, asked.instances, wish) });
});
