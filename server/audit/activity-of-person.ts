import type { RequestSession } from '@/server/auth/person-of-request';
import { hubOf } from '@/server/auth/session';
import { clusterInRecords } from '@/server/clusters/cluster-runtime';
import { runtime } from '@/server/runtime/runtime';
import { readActivity, type SeenActivity } from './read-activity';

/** What a person may see of the activity; undefined when it is what they have `seen`. */
export function activityOfPerson(session: RequestSession, seen?: string): Promise<SeenActivity | undefined> {
  const { audit, clock, entryRights } = runtime();
  const source = {
    ...{ audit, clock, session },
    rights: entryRights,
    hub: hubOf(session),
    seesAll: session.api === session.cluster.api,
    cluster: clusterInRecords(session.cluster),
  };
  return readActivity(source, seen);
}
