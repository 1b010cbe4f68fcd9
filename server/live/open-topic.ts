import type { Clock } from '@/lib/clock/clock';
import type { TopicProblem } from '@/lib/live/frames';
import type { Topic } from '@/lib/live/topic';
import type { Random } from '@/lib/random/random';
import type { Api, Target } from '@/server/kube/api';
import type { BackoffBounds } from '@/server/kube/backoff';
import { type CacheOptions, startCache } from '@/server/kube/cache';
import { codeOf, kubeErrorOf } from '@/server/kube/errors';
import type { Log } from '@/server/log/log';
import type { OpenFeed } from './feed';
import type { Pulse } from './pulse';
import { rowObject } from './row-object';

export interface OpenTopicOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Notices that the API fell silent while watches are open. */
  readonly pulse?: Pulse;
}

/**
 * Rights and CRDs come rarely, and seldom by themselves: a refused list is asked for again after 1 s, and up to a minute later each
 * time. A new reader, and a person who installs CRDs or grants rights here, has it asked for at once (`LiveHub.askRefusedAgain`).
 */
export const RETRY_REFUSED: BackoffBounds = { floorMs: 1_000, ceilingMs: 60_000 };

/** A shorter loss of contact is not shown: the watch is reopened every minute anyway. */
const STALE_AFTER_MS = 5_000;

/** Watches a topic at the Kubernetes API and reports it to a feed. */
export function openTopic(topic: Topic, options: OpenTopicOptions): OpenFeed {
  return (feed) => {
    let isReady = false;
    let isRefused = false;
    const onHealth = () => {
      const failure = cache.problem;
      isRefused = failure !== undefined && isRefusal(failure);
      if (failure !== undefined && isRefused) {
        isReady = false;
        feed.problem(problemOf(failure, topic));
      } else if (failure !== undefined && !cache.isSynced) {
        feed.problem(problemOf(failure, topic));
      } else if (failure === undefined && cache.isSynced && !isReady) {
        isReady = true;
        feed.ready(cache.list());
      }
      reportStaleness();
    };
    // A list emits each of its objects; until it is complete the feed gets parts of it.
    const cache = startCache(options.api, wholeTarget(topic), {
      ...options,
      ...narrowed(topic),
      onPart: (objects, remaining = 0) => {
        if (remaining > 0) feed.part(objects, cache.size + remaining);
      },
      onHealth,
      retryRefused: RETRY_REFUSED,
    });
    const stopChanges = cache.onChange(({ type, object }) => {
      if (!isReady) return;
      if (type === 'DELETED') feed.deleted(object);
      else feed.changed(object);
    });
    let later = options.clock.after(0, () => {});
    const reportStaleness = () => {
      later.cancel();
      // A first list that does not come counts too: what the page shows instead is not the state of the cluster.
      const sinceMs = isRefused ? undefined : earliest(cache.staleSinceMs, options.pulse?.silentSinceMs);
      // Counted from the loss of contact: further failures do not delay the message.
      const leftMs = sinceMs === undefined ? 0 : sinceMs + STALE_AFTER_MS - options.clock.now();
      if (leftMs <= 0) feed.stale(sinceMs);
      else later = options.clock.after(leftMs, reportStaleness);
    };
    const stopPulse = options.pulse?.follow((lostSinceMs) => {
      // A watch that was open before the silence may be dead without an error.
      if (lostSinceMs !== undefined) cache.reopen(lostSinceMs);
      reportStaleness();
    });
    reportStaleness();
    return () => {
      stopPulse?.();
      later.cancel();
      stopChanges();
      void cache.stop();
    };
  };
}

function wholeTarget({ name: _name, of: _of, view: _view, ...target }: Topic): Target {
  return target;
}

/** One object is asked for by its name; of rows only what lists show is kept. */
function narrowed({ name, view }: Topic): Pick<CacheOptions, 'selectors' | 'shrink'> {
  return {
    ...(name === undefined ? {} : { selectors: { fieldSelector: `metadata.name=${name}` } }),
    ...(view === undefined ? {} : { shrink: rowObject }),
  };
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** True when the API answered with a refusal. Every other failure is a loss of contact: the known objects are shown as stale. */
function isRefusal(failure: Error): boolean {
  return [401, 403, 404, 405].includes(codeOf(failure));
}

function problemOf(failure: Error, topic: Topic): TopicProblem {
  const code = codeOf(failure);
  const message = kubeErrorOf(failure)?.message ?? failure.message;
  // 401 is not a missing right: expired credentials are renewed, and then the list is read.
  if (code === 403) return { status: 'forbidden', message };
  if (code === 404 || code === 405) {
    return {
      status: 'missing',
      message: `The cluster does not serve ${topic.resource} of ${topic.group || 'the core group'}/${topic.version}.`,
    };
  }
  return { status: 'failed', message };
}
