import { hubOf, type RequestSession } from '@/server/auth/session';
import { runtime } from '@/server/runtime/runtime';
import { readActivity, type SeenActivity } from './read-activity';

/** What a person may see of the activity; undefined when it is what they have `seen`. */
export function activityOfPerson(session: RequestSession, seen?: string): Promise<SeenActivity | undefined> {
  const { api, audit, clock, cluster, entryRights } = runtime();
  const source = {
    ...{ audit, clock, session },
    rights: entryRights,
    hub: hubOf(session),
    seesAll: session.api === api,
    cluster: cluster.name,
  };
  return readActivity(source, seen);
}
