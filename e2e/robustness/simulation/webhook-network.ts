import { type Clock, sleep } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';
import type { PostReview, ReviewPost } from '@/server/sandbox/registry/post-review';
import { answerReview, type ReviewAnswer } from '@/server/webhook/answer-review';
import type { CertificateSet } from '@/server/webhook/certificates';
import { WEBHOOK_PATH } from '@/server/webhook/registration';
import type { ServeWebhook } from '@/server/webhook/server';
import type { FaultRate } from './fault-rate';
import type { ProcessClock } from './process-clock';

/** What can happen to a call. After each fault but `slow` the API server continues without an answer (failurePolicy Ignore). */
const FAULTS = ['refused', 'failed', 'hang', 'late', 'lost', 'slow', 'slow'] as const;
type CallFault = (typeof FAULTS)[number] | 'none';

interface WebhookEndpoint {
  readonly clock: ProcessClock;
  served: CertificateSet;
  answer(text: string): Promise<ReviewAnswer>;
}

export interface WebhookNetworkOptions {
  /** The simulation's. */
  readonly clock: Clock;
  readonly random: Random;
  readonly faultRate: FaultRate;
  /** Alters an answer of the webhook on purpose. */
  readonly tamper?: ((answer: string) => string) | undefined;
  /** Hears what came of each question. */
  readonly onReview?: ((words: string) => void) | undefined;
}

/** The network between the API server and the webhooks of simulated processes. */
export interface WebhookNetwork {
  /** Sends a review for the sandbox. */
  readonly post: PostReview;
  /** Serves the webhook of a process on a port of its own. */
  serveOf(clock: ProcessClock): ServeWebhook;
}

/**
 * Makes a network on which a port answers as its process does: not at all when the process is dead, late when it is suspended, and
 * only to a client that trusts the CA of its certificate. Deterministic for a given Random.
 */
export function webhookNetwork(options: WebhookNetworkOptions): WebhookNetwork {
  const { clock, faultRate, random, onReview } = options;
  const endpoints = new Map<string, WebhookEndpoint>();
  return {
    async post(post) {
      const port = post.url.port;
      const fault = draw(faultRate, random);
      try {
        const answer = await withDeadline(clock, post.timeoutMs, () => send(endpoints.get(port), post, fault, options));
        onReview?.(`review ${port} ${fault} answered`);
        return answer;
      } catch (error) {
        onReview?.(`review ${port} ${fault} failed`);
        throw error;
      }
    },
    serveOf: (process) => async (served, certificates) => {
      const port = FIRST_PORT + endpoints.size;
      const endpoint: WebhookEndpoint = {
        clock: process,
        served: certificates,
        answer: (text) => answerReview(text, served),
      };
      endpoints.set(String(port), endpoint);
      return {
        port,
        serveWith(next) {
          endpoint.served = next;
        },
        stop: async () => void endpoints.delete(String(port)),
      };
    },
  };
}

const FIRST_PORT = 20_001;

function draw({ percent }: FaultRate, random: Random): CallFault {
  if (percent === 0 || randomInteger(random, 100) >= percent) return 'none';
  return FAULTS[randomInteger(random, FAULTS.length)] ?? 'none';
}

async function send(
  endpoint: WebhookEndpoint | undefined,
  { url, caBundle = '', body }: ReviewPost,
  fault: CallFault,
  { clock, random, tamper = (answer) => answer }: WebhookNetworkOptions,
): Promise<string> {
  if (endpoint === undefined || endpoint.clock.isDead || fault === 'refused')
    throw new Error(`connect ECONNREFUSED ${url.host}`);
  if (fault === 'hang') return never();
  if (fault === 'slow') await sleep(clock, 100 + randomInteger(random, 2_500));
  await endpoint.clock.running();
  if (!trusts(caBundle, endpoint.served)) throw new Error('x509: certificate signed by unknown authority');
  if (url.pathname !== WEBHOOK_PATH || fault === 'failed')
    throw new Error('the server responded with the status code 503');
  const { status, text } = await endpoint.answer(body);
  await endpoint.clock.running();
  if (fault === 'late') return never();
  if (fault === 'lost') throw new Error('EOF');
  if (status !== 200) throw new Error(`the server responded with the status code ${status}`);
  return tamper(text);
}

/** A new promise each time: one that never settles keeps everything that waits for it in memory, with the whole simulation. */
const never = () => new Promise<never>(() => {});

/** The CA that signed the serving certificate is the first one of its own bundle. */
function trusts(caBundle: string, { caBundlePem }: CertificateSet): boolean {
  const [authority = ''] = caBundlePem.split(/(?<=-----END CERTIFICATE-----\n?)/);
  return authority !== '' && caBundle.includes(authority.trim());
}

function withDeadline<T>(clock: Clock, deadlineMs: number, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(deadlineMs, () => reject(new Error('context deadline exceeded')));
    run()
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}
