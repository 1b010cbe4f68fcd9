import { Counter, Histogram, type Registry } from 'prom-client';
import { systemClock } from '@/lib/clock/clock';
import type { RawRequest } from '@/server/kube/api';
import type { Transport } from '@/server/kube/transport';

const VERBS = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Counts and times requests to the API server. Returns the same transport, measured. */
export function apiMetrics(registry: Registry, clock = systemClock): (transport: Transport) => Transport {
  const requests = new Counter({
    name: 'bravo_api_requests_total',
    help: 'Requests to the API server by verb and status code; code "none" when there was no response.',
    labelNames: ['verb', 'code'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'bravo_api_request_duration_seconds',
    help: 'Time from a request to the API server to the headers of its response, by verb.',
    labelNames: ['verb'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return (transport) => ({
    openSocket: (request) => transport.openSocket(request),
    close: () => transport.close(),
    async request(request) {
      const verb = verbOf(request);
      const beganMs = clock.monotonic();
      try {
        const response = await transport.request(request);
        requests.inc({ verb, code: codeLabel(response.status) });
        return response;
      } catch (error) {
        requests.inc({ verb, code: 'none' });
        throw error;
      } finally {
        durations.observe({ verb }, (clock.monotonic() - beganMs) / 1_000);
      }
    },
  });
}

/** The verbs of Kubernetes; a list is known by its `limit`, which all of ours have. */
function verbOf({ method, path }: RawRequest): string {
  if (method !== 'GET') return VERBS.get(method) ?? 'other';
  if (/[?&]watch=(true|1)/.test(path)) return 'watch';
  return /[?&]limit=/.test(path) ? 'list' : 'get';
}

/** A broken server can send any number. */
function codeLabel(status: number): string {
  return status >= 100 && status <= 599 ? String(status) : 'other';
}
