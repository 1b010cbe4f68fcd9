import { refusedNames } from '@/server/auth/may-impersonate';
import { viewerKey } from '@/server/auth/person-of-request';
import { readViewedPerson } from '@/server/auth/view-as';
import { Refusal } from '@/server/http/problem';
import { json, route, withCookies } from '@/server/http/route';
import { runtime } from '@/server/runtime/runtime';

/** `{user, groups}`: from now on this browser sees the console as that user, for an hour at most. Takes the right to impersonate them. */
export const POST = route(
  async ({ session, body }) => {
    const { clock, viewAs } = runtime();
    const person = readViewedPerson(body);
    const viewer = session.viewer ?? session;
    const refused = await refusedNames(viewer.api, clock, person);
    if (refused.length > 0) {
      const message = `You may not view as ${person.name}: that takes the right to impersonate ${refused.join(', ')}.`;
      throw new Refusal(403, 'Forbidden', message);
    }
    return withCookies(json({ user: person.name }), await viewAs.begin(viewerKey(viewer), person));
  },
  { whileViewing: true },
);

/** The person sees the console as themselves again. */
export const DELETE = route(() => withCookies(json({}), runtime().viewAs.end()), { whileViewing: true });
