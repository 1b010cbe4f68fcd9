import { BlockedError, messageOf } from '@/lib/errors/errors';
import type { Api } from '@/server/kube/api';
import { guardedApi } from '@/server/kube/guarded-api';
import type { Log } from '@/server/log/log';
import type { WebhookMetrics } from '@/server/metrics/webhook-metrics';
import type { ReachableAddress, WebhookPlace } from './address';
import { type CertificateStore, memoryStore, secretStore } from './certificate-store';
import { type CertificateSet, endOfCertificate, keepCertificates } from './certificates';
import { handOver } from './hand-over';
import { createJudge, type JudgeOptions } from './judge';
import { Loop } from './loop';
import { type AskReach, askReach, notReached } from './reach';
import { isTrusted, placeOfAddress, register, removeStale, unregister } from './registration';
import { type ServeWebhook, startWebhookServer, type WebhookServer } from './server';

export interface WebhookOptions extends JudgeOptions {
  readonly log: Log;
  readonly metrics?: WebhookMetrics | undefined;
  readonly place: WebhookPlace;
  /** A namespace that exists: where it is tried whether the API server reaches the webhook. */
  readonly namespace: string;
  /** Replaces that try, for tests of what has no network. */
  readonly askReach?: AskReach;
  /** Replaces the HTTPS server, for a run in one process. */
  readonly serve?: ServeWebhook | undefined;
  /**
   * True while this controller holds the lease, at that very moment: who was frozen for longer than it lasts wakes up believing what
   * it was told before. What was told last when absent.
   */
  readonly leads?: () => boolean;
  /** Told what {@link ControllerWebhook.words} says, whenever that is something else. */
  onWords?(words: string): void;
}

/** The admission webhook of a controller. */
export interface ControllerWebhook {
  /** Undefined when it cannot be reached and so does not listen. */
  readonly port: number | undefined;
  /** What a person has to know of it, in one sentence. */
  readonly words: string;
  /** True when it serves a certificate that the API server trusts, and where there is no webhook. */
  readonly isReady: boolean;
  /** Only the controller that leads registers; all of them answer. */
  onLeadership(leads: boolean): void;
  /** @param isHandover it answers until the API server calls another one, for a bounded time */
  stop(isHandover?: boolean): Promise<void>;
}

/**
 * Starts the webhook.
 *
 * States: *follows* (answers; takes over the certificates that the leader keeps) ⇄ *leads* (keeps the certificates and the
 * registration, looking once a minute; registers only where the API server was seen to reach it). Whatever fails here is said
 * once and tried again: without a registration the API takes edits unasked, and the controller decides about them by
 * comparison.
 *
 * @throws TerminalError when it cannot listen
 */
export async function startWebhook(options: WebhookOptions): Promise<ControllerWebhook> {
  const { place, clock, random, log, metrics } = options;
  if (place.kind === 'none') return startWithout(options, place.why);
  const first = keepCertificates(undefined, { names: place.address(0).names, nowMs: clock.now(), random });
  const judge = createJudge(options);
  let keeper: Keeper | undefined;
  const isReady = () => keeper?.isReady === true;
  const words = () => keeper?.words ?? 'starts';
  const serve = options.serve ?? startWebhookServer;
  const server = await serve({ listen: place.listen, judge, clock, log, metrics, isReady, words }, first);
  log.info('webhook.listening', { port: server.port });
  keeper = new Keeper(options, place.address(server.port), server);
  keeper.start();
  return keeper;
}

/** Nobody can reach us: say so, and see to it that nothing that is registered blocks edits. */
function startWithout({ log, clock, random, onWords, ...options }: WebhookOptions, why: string): ControllerWebhook {
  const words = `is not registered: ${why}`;
  onWords?.(words);
  log.info('webhook.not-registered', { why, instead: 'the controller judges edits when it sees them' });
  let foreign = '';
  const api = guardedApi(options.api, () => options.leads?.() ?? loop.leads);
  const loop = new Loop({ clock, random, log }, async (leads) => {
    const found = leads ? await removeStale(api, log) : '';
    if (found !== '' && found !== foreign)
      log.warn('webhook.foreign', { at: found, advice: 'somebody else serves it' });
    foreign = found;
  });
  loop.start();
  return {
    port: undefined,
    words,
    isReady: true,
    onLeadership: (leads) => loop.ring(leads),
    stop: () => loop.stop(),
  };
}

/** A way that was open may be closed later. */
const ASK_AGAIN_MS = 10 * 60_000;

class Keeper implements ControllerWebhook {
  private said = 'starts';
  /** Writes as long as this controller leads. */
  private readonly api: Api;
  private readonly store: CertificateStore;
  private readonly loop: Loop;
  private readonly askReach: AskReach;
  private served: CertificateSet | undefined;
  /** When the API server was last seen to reach us; monotonic. */
  private reachedAtMs: number | undefined;
  /** A Service sends it nothing new. */
  private isEnding = false;

  constructor(
    private readonly options: WebhookOptions,
    private readonly address: ReachableAddress,
    private readonly server: WebhookServer,
  ) {
    const { clock, random, log } = options;
    this.api = guardedApi(options.api, () => options.leads?.() ?? this.loop.leads);
    this.store = address.kind === 'service' ? secretStore(this.api, address.namespace) : memoryStore();
    this.loop = new Loop({ clock, random, log }, (leads) => this.look(leads));
    this.askReach = options.askReach ?? ((...about) => askReach({ ...options, api: this.api }, ...about));
  }

  get port(): number {
    return this.server.port;
  }

  get words(): string {
    return this.said;
  }

  /** True when it serves with a certificate that the API server was told to trust, or may be told, and is not ending. */
  get isReady(): boolean {
    return this.served !== undefined && !this.isEnding;
  }

  start(): void {
    this.loop.start();
  }

  onLeadership(leads: boolean): void {
    this.loop.ring(leads);
  }

  async stop(isHandover = false): Promise<void> {
    await this.loop.stop();
    const { api, clock, log } = this.options;
    this.isEnding = true;
    if (isHandover) await handOver(api, this.address, clock);
    if (this.loop.leads && this.address.kind === 'url') {
      // Without the lease by now: only what names this address is deleted.
      await unregister(api, this.address).catch((error: unknown) => {
        log.warn('webhook.not-unregistered', { problem: messageOf(error) });
      });
    }
    await this.server.stop();
  }

  /**
   * The API server is told of a new authority before anything is served with it; only a first certificate has to be there
   * before it can be seen whether we are reached.
   */
  private async look(leads: boolean): Promise<void> {
    const { api } = this;
    if (leads && this.address.kind === 'service') await seeService(api, this.address);
    const kept = leads ? await this.keep() : await this.store.load();
    if (!leads) this.say('answers; the controller that leads registers it');
    if (kept === undefined) return;
    if (!leads) {
      if (await isTrusted(api, kept.caBundlePem)) this.serve(kept);
      return;
    }
    if (this.served === undefined) this.serve(kept);
    await this.registerWhereReached(kept.caBundlePem);
    this.serve(kept);
  }

  private async registerWhereReached(caBundlePem: string): Promise<void> {
    const { clock, log } = this.options;
    const place = placeOfAddress(this.address);
    if (this.reachedAtMs === undefined || clock.monotonic() - this.reachedAtMs >= ASK_AGAIN_MS) {
      const reach = await this.askReach(this.address, caBundlePem);
      this.reachedAtMs = reach.kind === 'reached' ? clock.monotonic() : undefined;
      if (reach.kind === 'unreached') await this.withdraw(place, reach.why);
      if (reach.kind === 'unknown') this.sayUntried(`is registered at ${place}, untried: ${reach.why}`);
    }
    await register(this.api, this.address, caBundlePem, log);
    if (this.reachedAtMs !== undefined) this.say(`is registered at ${place}`);
  }

  /** Each edit would wait in vain for us. @throws BlockedError always, so that it is said and tried again */
  private async withdraw(place: string, why: string): Promise<never> {
    const { api, options } = this;
    const { log } = options;
    this.say(`is not registered: the API server cannot call ${place} (${why}); edits are judged after they are taken`);
    if (await unregister(api, this.address)) log.warn('webhook.withdrawn', { at: place });
    else await removeStale(api, log);
    throw notReached(place, why);
  }

  private sayUntried(words: string): void {
    if (this.said !== words) this.options.log.warn('webhook.not-tried', { words });
    this.say(words);
  }

  private say(words: string): void {
    if (this.said !== words) this.options.onWords?.(words);
    this.said = words;
  }

  private serve(kept: CertificateSet): void {
    if (this.served?.certificatePem === kept.certificatePem) return;
    this.server.serveWith(kept);
    this.served = kept;
    this.options.metrics?.servesUntil(endOfCertificate(kept.certificatePem));
    this.options.log.info('webhook.certificate-served', {});
  }

  private async keep(): Promise<CertificateSet> {
    const { clock, random } = this.options;
    const found = await this.store.load();
    const kept = keepCertificates(found, { names: this.address.names, nowMs: clock.now(), random });
    if (kept !== found) await this.store.save(kept);
    return kept;
  }
}

/** A registration that points to nothing would only delay edits. */
async function seeService(api: Api, { namespace, name }: { namespace: string; name: string }): Promise<void> {
  if ((await api.get({ group: '', version: 'v1', resource: 'services', namespace, name })) !== undefined) return;
  throw new BlockedError(
    `There is no Service ${namespace}/${name} before the webhook. Create it, or name another with BRAVO_WEBHOOK_SERVICE.`,
    'ServiceMissing',
  );
}
