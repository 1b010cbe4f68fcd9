import { parseTopic } from '@/lib/live/topic';
import { untilEndOfView } from '@/server/auth/end-of-view';
import { hubOf } from '@/server/auth/session';
import { viewMark } from '@/server/auth/view-mark';
import { Refusal } from '@/server/http/problem';
import { route } from '@/server/http/route';
import { openLiveStream, type Subscription } from '@/server/live/stream';
import { runtime } from '@/server/runtime/runtime';

export const dynamic = 'force-dynamic';

/** More than any page follows; a bound on what one connection can make the server watch. */
const MAX_TOPICS = 64;

/** `GET /api/live?topic=kudo.dev/v1beta1/instances~CURSOR&topic=…`: see lib/live/frames. */
export const GET = route(({ query, signal, session }) => {
  const { version, clock, controllerState, streamMetrics, viewAs } = runtime();
  const hub = hubOf(session);
  // The controller beside this console runs the plans of the home cluster alone.
  const state = session.cluster.isHome ? controllerState : () => 'off' as const;
  const subscriptions = readSubscriptions(query.getAll('topic'));
  return new Response(
    openLiveStream({
      ...{
        hub,
        subscriptions,
        version,
        clock,
        controllerState: state,
        metrics: streamMetrics,
        view: viewMark(session),
      },
      signal: untilEndOfView(session, signal, { clock, viewAs }),
    }),
    {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // no-transform: Next would compress the stream otherwise.
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    },
  );
});

function readSubscriptions(texts: readonly string[]): Subscription[] {
  if (texts.length === 0 || texts.length > MAX_TOPICS) {
    throw new Refusal(400, 'BadRequest', `Name 1 to ${MAX_TOPICS} topics, as in topic=kudo.dev/v1beta1/instances.`);
  }
  return texts.map((text) => {
    const [name = '', cursor] = text.split('~');
    const topic = parseTopic(name);
    if (topic === undefined) throw new Refusal(400, 'BadRequest', `"${name.slice(0, 100)}" is not a topic.`);
    return { topic, cursor };
  });
}
