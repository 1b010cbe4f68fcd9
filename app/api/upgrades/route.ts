import { json, route } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';
import { repositoryOpener } from '@/server/upgrades/open-repository';
import { parseWaveRequest } from '@/server/upgrades/parse-upgrade';
import { startUpgrade } from '@/server/upgrades/start-upgrade';
import { upgradeSource } from '@/server/upgrades/upgrade-source';

/** `{namespace, instances, to?, channel?, subscription?, parameters?, waveSize? …}`: creates an OperatorUpgrade with the rights of the person. */
export const POST = route(async ({ session: { api }, body }) => {
  const { catalogue, clock, notices } = runtime();
  const asked = parseWaveRequest(body);
  const openRepository = repositoryOpener({ clock, allowLocal: notices.allowLocal });
  const { source, wish } = await upgradeSource(api, asked, { catalogue, openRepository });
  const started = await startUpgrade({ api, clock, source }, { ...asked, wish });
  return json({ upgrade: started ?? null }, started === undefined ? 200 : 201);
});
