import type { WebhookSettings } from '@/server/config/webhook';
import { type Controller, type ControllerOptions, startController } from '@/server/controller/controller';
import { FingerprintKey } from '@/server/controller/fingerprint-key';
import { awaitFormerLease } from '@/server/controller/former-lease';
import { awaitFormerManager } from '@/server/controller/former-manager';
import { controllerUnready } from '@/server/health/controller-health';
import type { Unready } from '@/server/health/health-server';
import type { WebhookMetrics } from '@/server/metrics/webhook-metrics';
import { type ClusterPlace, webhookPlace } from '@/server/webhook/address';
import type { ServeWebhook } from '@/server/webhook/server';
import { startWebhook } from '@/server/webhook/webhook';

export interface RunControllerOptions extends ControllerOptions {
  readonly webhookMetrics?: WebhookMetrics;
  readonly cluster: ClusterPlace;
  readonly webhook: WebhookSettings;
  /** Replaces the webhook's HTTPS server, for a run in one process. */
  readonly serveWebhook?: ServeWebhook;
  /** Told when it begins to wait for the end of KUDO's own manager, and when it no longer does. */
  onYield?(yields: boolean): void;
  /** Told what the webhook says of itself, in one sentence. */
  onWebhook?(words: string): void;
}

/** A controller with what its readiness probe answers. */
export interface ProcessController extends Controller {
  /** Why it is not ready; empty when it is. */
  unready(): Unready;
  /**
   * Drains, and ends everything.
   *
   * @param isHandover another controller takes over: its webhook is waited for, so that no edit goes unasked in between
   */
  stop(isHandover?: boolean): Promise<void>;
}

/**
 * A controller as a process has it: with the admission webhook beside it, which answers with its watched OperatorVersions
 * and is registered while it leads. It does not lead while KUDO's own manager runs,
 * or a controller with a lease in another namespace.
 *
 * @throws TerminalError when the webhook cannot listen on the port of the settings
 */
export async function runController(options: RunControllerOptions): Promise<ProcessController> {
  const { api, clock, random, log, cluster } = options;
  const namespace = options.leaseNamespace ?? 'default';
  const fingerprints = new FingerprintKey({ api, clock, random, log, namespace });
  let controller: Controller | undefined;
  const webhook = await startWebhook({
    api,
    clock,
    random,
    log,
    metrics: options.webhookMetrics,
    place: webhookPlace(options.webhook, cluster),
    namespace,
    fingerprints,
    leads: () => controller?.leadsShard(0) === true,
    serve: options.serveWebhook,
    ...(options.onWebhook === undefined ? {} : { onWords: options.onWebhook }),
    watchedVersion: (namespace, name) => controller?.watchedVersion(namespace, name),
  });
  const formerManager = awaitFormerManager(options);
  const formerLease = awaitFormerLease({ ...options, namespace });
  let leaseProblem: string | undefined;
  controller = await startController({
    repositoriesNamespace: cluster.namespace,
    ...options,
    fingerprints,
    mayLead: Promise.all([formerManager.gone, formerLease.gone]),
    onLeaseRefused: (problem) => {
      leaseProblem = problem;
      options.onLeaseRefused?.(problem);
    },
    onLeadership: (leads, shard) => {
      if (shard === 0) webhook.onLeadership(leads);
      options.onLeadership?.(leads, shard);
    },
  });
  const running = controller;
  let isSynced = false;
  void running.synced.then(() => {
    isSynced = true;
  });
  return {
    get leads() {
      return running.leads;
    },
    leadsShard: (shard) => running.leadsShard(shard),
    synced: running.synced,
    caches: running.caches,
    watchedVersion: (namespace, name) => running.watchedVersion(namespace, name),
    requeueAfterMs: (key) => running.requeueAfterMs(key),
    unready: () =>
      controllerUnready({ isSynced, isWebhookReady: webhook.isReady, webhookWords: webhook.words, leaseProblem }),
    drain: () => running.drain(),
    stop: async (isHandover = false) => {
      formerManager.stop();
      formerLease.stop();
      await running.drain();
      // It answers until the API server calls another one, from the copies that are still watched.
      await webhook.stop(isHandover);
      await running.stop();
    },
  };
}
