import { Agent, get, type IncomingMessage } from 'node:http';
import { headersOf, type Person } from './persons';

const PROBE = /"name":"(probe-\d+)"/g;

/** An open page without its screen: it keeps one event stream and notes when the name of each probe arrives. */
export class Listener {
  /** Milliseconds since the epoch, by the name of the probe. */
  readonly arrivals = new Map<string, number>();
  bytes = 0;
  private response: IncomingMessage | undefined;
  private tail = '';

  constructor(readonly person: Person) {}

  /** Resolves when the stream has begun. */
  open(url: string, secret: string, agent: Agent): Promise<void> {
    return new Promise((resolve, reject) => {
      const request = get(url, { agent, headers: { ...headersOf(this.person, secret), accept: 'text/event-stream' } });
      request.once('error', reject);
      request.once('response', (response) => {
        if (response.statusCode !== 200) reject(new Error(`The stream was answered ${response.statusCode}.`));
        this.response = response;
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('data', (chunk: string) => this.take(chunk));
        response.once('data', () => resolve());
      });
    });
  }

  close(): void {
    this.response?.destroy();
  }

  private take(chunk: string): void {
    this.bytes += chunk.length;
    const text = this.tail + chunk;
    for (const [, name = ''] of text.matchAll(PROBE)) if (!this.arrivals.has(name)) this.arrivals.set(name, Date.now());
    // A name may be cut by the end of a chunk.
    this.tail = text.slice(-40);
  }
}

export const listenerAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
