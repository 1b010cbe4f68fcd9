import { createServer, type Server } from 'node:http';
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client';
import { messageOf } from '@/lib/errors/errors';
import type { MetricsSettings } from '@/server/config/metrics';
import type { Log } from '@/server/log/log';

/** The values of a registry, as they go from one thread to another. */
export type MetricValues = readonly MetricObject[];

export interface ServeMetricsOptions {
  readonly settings: MetricsSettings;
  /** The values of every part; undefined of one that does not answer now. */
  collect(): Promise<readonly (MetricValues | undefined)[]>;
  readonly log: Log;
  /** Told what a person has to know, in one sentence: that the port is taken. */
  warn(words: string): void;
}

export interface MetricsServer {
  /** Undefined when it does not listen. */
  readonly port: number | undefined;
  stop(): Promise<void>;
}

const NO_SERVER: MetricsServer = { port: undefined, stop: async () => undefined };
/** More than Prometheus, and a person, open. */
const MOST_CONNECTIONS = 32;
const REQUEST_WITHIN_MS = 5_000;

/**
 * Serves `/metrics` in Prometheus' text format and `/healthz`. It listens to no one but this machine unless the settings say
 * otherwise, takes no bodies, and needs no sign-in: metrics name operators, plans, and namespaces and names of Instances with backups.
 * A port that is taken is a warning: what is measured goes on.
 */
export async function serveMetrics(options: ServeMetricsOptions): Promise<MetricsServer> {
  const { settings, log } = options;
  if (settings === undefined) return NO_SERVER;
  const server = createServer({ headersTimeout: REQUEST_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('request', (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405, TEXT, 'Use GET.\n');
    if (path === '/healthz') return send(200, TEXT, 'ok\n');
    if (path !== '/metrics') return send(404, TEXT, 'Metrics are at /metrics.\n');
    metricsText(options).then(
      (text) => send(200, Registry.PROMETHEUS_CONTENT_TYPE, text),
      (error: unknown) => {
        log.error('metrics.bug', { problem: messageOf(error) });
        send(500, TEXT, 'The metrics could not be read; the log says why.\n');
      },
    );
    return undefined;
  });
  try {
    await bind(server, settings);
  } catch (error) {
    const { host, port } = settings;
    const advice = 'Choose another port with BRAVO_METRICS_PORT, or turn metrics off with BRAVO_METRICS_PORT=off';
    options.warn(`Metrics are not served: ${host}:${port} cannot be used (${messageOf(error)}). ${advice}.`);
    return NO_SERVER;
  }
  return { port: settings.port, stop: () => close(server) };
}

const TEXT = 'text/plain; charset=utf-8';

async function metricsText({ collect }: ServeMetricsOptions): Promise<string> {
  const parts = (await collect()).filter((values): values is MetricValues => values !== undefined);
  // Every series has the label of its part, so none has to be added to another one, and none is left out.
  return AggregatorRegistry.aggregate(
    parts.map((values) => values.map((metric) => ({ ...metric, aggregator: 'first' }))),
  ).metrics();
}

function bind(server: Server, { host, port }: NonNullable<MetricsSettings>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
