import { type Clock, sleep } from '@/lib/clock/clock';
import { type Random, randomInteger } from '@/lib/random/random';
import type { PostReview, ReviewPost } from '@/server/sandbox/registry/post-review';
import { answerReview, type ReviewAnswer } from '@/server/webhook/answer-review';
import type { CertificateSet } from '@/server/webhook/certificates';
import { WEBHOOK_PATH } from '@/server/webhook/registration';
import type { ServeWebhook } from '@/server/webhook/server';
import type { ProcessClock } from './process-clock';
import type { Weather } from './weather';

/** What befalls a question on its way. After each of them the API server goes on unasked (failurePolicy Ignore), but slow. */
const FAULTS = ['refused', 'failed', 'hang', 'late', 'lost', 'slow', 'slow'] as const;
type Fault = (typeof FAULTS)[number] | 'none';

interface Door {
  readonly clock: ProcessClock;
  served: CertificateSet;
  answer(text: string): Promise<ReviewAnswer>;
}

export interface WebhookNetworkOptions {
  /** The world's. */
  readonly clock: Clock;
  readonly random: Random;
  readonly weather: Weather;
  /** Breaks the webhook on purpose: what it makes of an answer. */
  readonly tamper?: ((answer: string) => string) | undefined;
  /** Hears what came of each question. */
  readonly onReview?: ((words: string) => void) | undefined;
}

/** The network between the API server and the webhooks of simulated processes. */
export interface WebhookNetwork {
  /** What the sandbox asks by. */
  readonly post: PostReview;
  /** What a process listens with; each gets a port of its own. */
  serveOf(clock: ProcessClock): ServeWebhook;
}

/**
 * Makes a network on which a port answers as its process does: not at all when that is dead, late when it is stopped, and only
 * to whom trusts the authority of what it serves with. Deterministic for a given Random.
 */
export function webhookNetwork(options: WebhookNetworkOptions): WebhookNetwork {
  const { clock, weather, random, onReview } = options;
  const doors = new Map<string, Door>();
  return {
    async post(post) {
      const port = post.url.port;
      const fault = draw(weather, random);
      try {
        const answer = await withDeadline(clock, post.timeoutMs, () => send(doors.get(port), post, fault, options));
        onReview?.(`review ${port} ${fault} answered`);
        return answer;
      } catch (error) {
        onReview?.(`review ${port} ${fault} failed`);
        throw error;
      }
    },
    serveOf: (process) => async (served, certificates) => {
      const port = FIRST_PORT + doors.size;
      const door: Door = { clock: process, served: certificates, answer: (text) => answerReview(text, served) };
      doors.set(String(port), door);
      return {
        port,
        serveWith(next) {
          door.served = next;
        },
        stop: async () => void doors.delete(String(port)),
      };
    },
  };
}

const FIRST_PORT = 20_001;

function draw({ faultPercent }: Weather, random: Random): Fault {
  if (faultPercent === 0 || randomInteger(random, 100) >= faultPercent) return 'none';
  return FAULTS[randomInteger(random, FAULTS.length)] ?? 'none';
}

async function send(
  door: Door | undefined,
  { url, caBundle = '', body }: ReviewPost,
  fault: Fault,
  { clock, random, tamper = (answer) => answer }: WebhookNetworkOptions,
): Promise<string> {
  if (door === undefined || door.clock.isDead || fault === 'refused')
    throw new Error(`connect ECONNREFUSED ${url.host}`);
  if (fault === 'hang') return never();
  if (fault === 'slow') await sleep(clock, 100 + randomInteger(random, 2_500));
  await door.clock.running();
  if (!trusts(caBundle, door.served)) throw new Error('x509: certificate signed by unknown authority');
  if (url.pathname !== WEBHOOK_PATH || fault === 'failed')
    throw new Error('the server responded with the status code 503');
  const { status, text } = await door.answer(body);
  await door.clock.running();
  if (fault === 'late') return never();
  if (fault === 'lost') throw new Error('EOF');
  if (status !== 200) throw new Error(`the server responded with the status code ${status}`);
  return tamper(text);
}

/** One of its own each time: a promise that stays keeps all who wait for it, and their whole worlds with them. */
const never = () => new Promise<never>(() => {});

/** The authority that signed what is served comes first in its own bundle. */
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
