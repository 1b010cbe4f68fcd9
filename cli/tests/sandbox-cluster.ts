import { systemClock } from '@/lib/clock/clock';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { TransientError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import { systemRandom } from '@/lib/random/random';
import { readWebhookSettings } from '@/server/config/webhook';
import { type LeapingPace, startLeapingPace } from '@/server/harness/leaping-pace';
import { type Cluster, plainCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import { HandshakeError, type Transport } from '@/server/kube/transport';
import { silentLog } from '@/server/log/log';
import type { PostReview } from '@/server/sandbox/registry/post-review';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { renderInThread } from '@/server/tasks/render-texts';
import { answerReview } from '@/server/webhook/answer-review';
import type { ServeWebhook } from '@/server/webhook/server';
import { type ProcessController, runController } from '@/server/workers/run-controller';

export interface SandboxClusterOptions {
  readonly mode: 'full' | 'no-pods' | 'no-controllers';
  readonly podDelayMs: number;
  /** False: the suite starts a controller itself. */
  readonly hasController: boolean;
  readonly kubeconfigPath: string;
  reportBug(error: unknown): void;
}

/** A sandbox and a controller for one run. */
export interface SandboxCluster {
  readonly cluster: Cluster;
  readonly api: ClosableApi;
  readonly pace: LeapingPace;
  stop(): Promise<void>;
}

/**
 * Starts an empty sandbox on a free port of the loopback interface, and a controller with its webhook, in this process and in
 * virtual time. Everything is in memory; programs reach the sandbox with the kubeconfig.
 */
export async function startSandboxCluster(options: SandboxClusterOptions): Promise<SandboxCluster> {
  const clock = new VirtualClock(systemClock.now());
  const webhook = webhookInProcess();
  const pace = startLeapingPace(clock);
  let sandbox: Sandbox | undefined;
  let controller: ProcessController | undefined;
  const stop = async () => {
    await controller?.stop();
    await sandbox?.stop();
    await pace.stop();
  };
  try {
    sandbox = await startSandbox({
      port: 0,
      mode: options.mode,
      podDelayMs: options.podDelayMs,
      kubeconfigPath: options.kubeconfigPath,
      clock,
      random: systemRandom,
      postReview: webhook.post,
      reportBug: options.reportBug,
    });
    const cluster = plainCluster({
      server: sandbox.url,
      token: sandbox.adminToken,
      ca: sandbox.caPem,
      name: 'bravo-sandbox',
    });
    const connect = () => createApi(cluster, { clock, transport: directTransport(running(sandbox)) });
    const api = connect();
    if (options.hasController) {
      await installCrds(api, clock);
      controller = await runController({
        api: connect(),
        cluster,
        clock,
        random: systemRandom,
        log: silentLog,
        identity: 'bravo-test',
        renderTexts: renderInThread,
        webhook: readWebhookSettings({}),
        serveWebhook: webhook.serve,
      });
      await ready(controller, pace);
    }
    return { cluster, api, pace, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function running(sandbox: Sandbox | undefined): Sandbox {
  if (sandbox === undefined) throw new Error('The sandbox does not run.');
  return sandbox;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;

/** Waits until the controller leads and its webhook is registered, so that the first command is answered as later ones are. */
async function ready(controller: ProcessController, pace: LeapingPace): Promise<void> {
  const endMs = pace.clock.monotonic() + READY_WITHIN_MS;
  const leave = pace.enter();
  try {
    for (;;) {
      const unready = controller.unready();
      if (controller.leads && Object.keys(unready).length === 0) return;
      if (pace.clock.monotonic() > endMs) {
        throw new TransientError(`The controller is not ready: ${JSON.stringify(unready)}`, 'ControllerNotReady');
      }
      await pace.pause(POLL_MS);
    }
  } finally {
    leave();
  }
}

/** Requests without sockets, so that the pace knows when nothing more happens without a timer. */
function directTransport(sandbox: Sandbox): Transport {
  const authorization = `Bearer ${sandbox.adminToken}`;
  return {
    request: (request) => sandbox.inject({ ...request, headers: { ...request.headers, authorization } }),
    async openSocket({ path, protocols, signal }) {
      const opened = sandbox.injectExec({ path, headers: { authorization }, signal });
      if ('refused' in opened) throw new HandshakeError(opened.refused.status, opened.refused.body);
      return { ...opened, protocol: protocols[0] ?? '' };
    },
    close: () => Promise.resolve(),
  };
}

/** The controller's webhook, which the sandbox asks without a socket. */
function webhookInProcess(): { readonly serve: ServeWebhook; readonly post: PostReview } {
  let answer: ((text: string) => Promise<string>) | undefined;
  return {
    async serve(options) {
      answer = async (text) => (await answerReview(text, options)).text;
      return {
        port: WEBHOOK_PORT,
        serveWith: () => undefined,
        stop: async () => {
          answer = undefined;
        },
      };
    },
    async post({ url, body }) {
      if (answer === undefined || Number(url.port) !== WEBHOOK_PORT)
        throw new Error(`connect ECONNREFUSED ${url.host}`);
      if (body.length > limits.reviewBytes) throw new Error('the request is too large');
      return answer(body);
    },
  };
}

/** Nothing listens there. */
const WEBHOOK_PORT = 1;
