import type { WebhookSettings } from '@/server/config/webhook';
import { type Controller, type ControllerOptions, startController } from '@/server/controller/controller';
import { FingerprintKey } from '@/server/controller/fingerprint-key';
import { awaitFormerManager } from '@/server/controller/former-manager';
import { type ClusterPlace, webhookPlace } from '@/server/webhook/address';
import type { ServeWebhook } from '@/server/webhook/server';
import { startWebhook } from '@/server/webhook/webhook';

export interface RunControllerOptions extends ControllerOptions {
  readonly cluster: ClusterPlace;
  readonly webhook: WebhookSettings;
  /** Replaces the webhook's HTTPS server, for a run in one process. */
  readonly serveWebhook?: ServeWebhook;
  /** Told when it begins to wait for the end of KUDO's own manager, and when it no longer does. */
  onYield?(yields: boolean): void;
  /** Told what the webhook says of itself, in one sentence. */
  onWebhook?(words: string): void;
}

export interface RunningController extends Controller {
  /**
   * Drains, and ends everything.
   *
   * @param isHandover another controller takes over: its webhook is waited for, so that no edit goes unasked in between
   */
  stop(isHandover?: boolean): Promise<void>;
}

/**
 * A controller as a process has it: with the admission webhook beside it, which answers with its watched OperatorVersions
 * and is registered while it leads. It does not lead while KUDO's own manager runs.
 *
 * @throws TerminalError when the webhook cannot listen on the port of the settings
 */
export async function runController(options: RunControllerOptions): Promise<RunningController> {
  const { api, clock, random, log, cluster } = options;
  const namespace = options.leaseNamespace ?? 'default';
  const fingerprints = new FingerprintKey({ api, clock, random, log, namespace });
  let controller: Controller | undefined;
  const webhook = await startWebhook({
    api,
    clock,
    random,
    log,
    place: webhookPlace(options.webhook, cluster),
    namespace,
    fingerprints,
    leads: () => controller?.leadsShard(0) === true,
    serve: options.serveWebhook,
    ...(options.onWebhook === undefined ? {} : { onWords: options.onWebhook }),
    watchedVersion: (namespace, name) => controller?.watchedVersion(namespace, name),
  });
  const formerManager = awaitFormerManager(options);
  controller = await startController({
    ...options,
    fingerprints,
    mayLead: formerManager.gone,
    onLeadership: (leads, shard) => {
      if (shard === 0) webhook.onLeadership(leads);
      options.onLeadership?.(leads, shard);
    },
  });
  const running = controller;
  return {
    get leads() {
      return running.leads;
    },
    leadsShard: (shard) => running.leadsShard(shard),
    synced: running.synced,
    caches: running.caches,
    watchedVersion: (namespace, name) => running.watchedVersion(namespace, name),
    requeueAfterMs: (key) => running.requeueAfterMs(key),
    drain: () => running.drain(),
    stop: async (isHandover = false) => {
      formerManager.stop();
      await running.drain();
      // It answers until the API server calls another one, from the copies that are still watched.
      await webhook.stop(isHandover);
      await running.stop();
    },
  };
}
