import type { Clock } from '@/lib/clock/clock';
import { parameterSchemaOf } from '@/lib/kudo/parameter-schema';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type Cache, startCache } from '@/server/kube/cache';
import type { OpenFeed } from '@/server/live/feed';
import { LiveHub } from '@/server/live/hub';
import { openTopic } from '@/server/live/open-topic';
import { presentObject } from '@/server/live/present';
import { Pulse } from '@/server/live/pulse';
import { rowOrder } from '@/server/live/row-object';
import type { Log } from '@/server/log/log';

export interface OpenHubOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The live hub with the kubeconfig's authority, and what the overview needs already on its way. */
export function openHub(options: OpenHubOptions): LiveHub {
  const versions = watchVersions(options);
  const pulse = new Pulse(options.api, options.clock);
  const hub = new LiveHub({
    clock: options.clock,
    random: options.random,
    open: (topic) => {
      const opened = openTopic(topic, { ...options, pulse });
      return topic.resource === topics.instances.resource ? whenKnown(versions, opened) : opened;
    },
    order: rowOrder,
    present: (object) => presentObject(object, (instance) => schemaOf(versions.cache, instance)),
  });
  hub.closed.addEventListener('abort', () => void versions.cache.stop(), { once: true });
  return hub;
}

interface KnownVersions {
  readonly cache: Cache;
  /** Resolves when the OperatorVersions were listed, or it turned out that they cannot be. */
  readonly known: Promise<void>;
}

/** Which parameters are secret stands in the OperatorVersions: only that is kept of them. */
function watchVersions(options: OpenHubOptions): KnownVersions {
  let resolveKnown: () => void = () => {};
  const known = new Promise<void>((resolve) => {
    resolveKnown = resolve;
  });
  const cache = startCache(options.api, topics.operatorVersions, {
    ...options,
    shrink: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata: { ...metadata, managedFields: [] } }),
    onHealth: () => resolveKnown(),
  });
  return { cache, known };
}

/** Instances are shown only when it is known which of their parameters are secret. */
function whenKnown(versions: KnownVersions, open: OpenFeed): OpenFeed {
  return (feed) => {
    let close: (() => void) | undefined;
    let closed = false;
    void versions.known.then(() => {
      if (!closed) close = open(feed);
    });
    return () => {
      closed = true;
      close?.();
    };
  };
}

function schemaOf(cache: Cache, instance: Instance) {
  const reference = instance.spec?.operatorVersion;
  const namespace = reference?.namespace || instance.metadata.namespace || '';
  const version = cache.get(namespace, reference?.name ?? '') as OperatorVersion | undefined;
  return version === undefined ? undefined : parameterSchemaOf(version);
}
