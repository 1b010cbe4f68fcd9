import type { Clock } from '@/lib/clock/clock';
import { type ParameterSchema, parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import type { Random } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { type Cache, startCache } from '@/server/kube/cache';
import type { OpenFeed } from '@/server/live/feed';
import { LiveHub } from '@/server/live/hub';
import { openTopic, RETRY_REFUSED } from '@/server/live/open-topic';
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

/** The live hub with the kubeconfig's authority. No request is sent until somebody reads a topic. */
export function openHub(options: OpenHubOptions): LiveHub {
  const versions = new WatchedVersions(options);
  const pulse = new Pulse(options.api, options.clock);
  return new LiveHub({
    clock: options.clock,
    random: options.random,
    open: (topic) => {
      const opened = openTopic(topic, { ...options, pulse });
      return topic.resource === topics.instances.resource ? versions.openAfter(opened) : opened;
    },
    order: rowOrder,
    present: (object) => presentObject(object, (instance) => versions.schemaOf(instance)),
  });
}

interface HeldVersions {
  readonly cache: Cache;
  /** Resolves when the OperatorVersions were listed, or it turned out that they cannot be. */
  readonly known: Promise<void>;
  readers: number;
}

/** The OperatorVersions say which parameters are secret: they are watched while an Instances topic is, and nothing else is kept. */
class WatchedVersions {
  private held: HeldVersions | undefined;

  constructor(private readonly options: OpenHubOptions) {}

  schemaOf(instance: Instance): ParameterSchema | undefined {
    const reference = instance.spec?.operatorVersion;
    const namespace = reference?.namespace || instance.metadata.namespace || '';
    const version = this.held?.cache.get(namespace, reference?.name ?? '') as OperatorVersion | undefined;
    return version === undefined ? undefined : parameterSchemaOf(version);
  }

  /** Instances are shown only when it is known which of their parameters are secret. */
  openAfter(open: OpenFeed): OpenFeed {
    return (feed) => {
      const held = this.acquire();
      let close: (() => void) | undefined;
      let closed = false;
      void held.known.then(() => {
        if (!closed) close = open(feed);
      });
      return () => {
        if (closed) return;
        closed = true;
        close?.();
        this.release(held);
      };
    };
  }

  private acquire(): HeldVersions {
    this.held ??= this.watch();
    this.held.readers++;
    return this.held;
  }

  private release(held: HeldVersions): void {
    held.readers--;
    if (held.readers > 0) return;
    this.held = undefined;
    void held.cache.stop();
  }

  private watch(): HeldVersions {
    let resolveKnown: () => void = () => {};
    const known = new Promise<void>((resolve) => {
      resolveKnown = resolve;
    });
    const cache = startCache(this.options.api, topics.operatorVersions, {
      ...this.options,
      shrink: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata: { ...metadata, managedFields: [] } }),
      onHealth: () => resolveKnown(),
      retryRefused: RETRY_REFUSED,
    });
    return { cache, known, readers: 0 };
  }
}
