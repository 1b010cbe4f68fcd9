import type { RequestInfo } from '../rbac/request-info';

const NAME = 'apiserver_request_total';
/** Names of resources come from outside; what is more than this is counted without a name. */
const MAX_SERIES = 2_000;

/** Verbs as the metric says them; others are their own name in capitals. */
const VERBS: { readonly [verb: string]: string } = { create: 'POST', update: 'PUT' };

/**
 * Counts answered requests under the names and labels of kube-apiserver's `apiserver_request_total`, as far as a reader can
 * use them: verb, group, resource, subresource and code. A watch counts when it is opened.
 */
export class RequestMetrics {
  private readonly counts = new Map<string, number>();

  count(info: RequestInfo | undefined, code: number): void {
    const exact = labelsOf(info, code);
    const hasRoom = this.counts.size < MAX_SERIES || this.counts.has(exact);
    const labels = hasRoom ? exact : labelsOf(undefined, code);
    this.counts.set(labels, (this.counts.get(labels) ?? 0) + 1);
  }

  /** The lines of the counter in the text format of Prometheus, in a fixed order. */
  lines(): string[] {
    return [...this.counts].map(([labels, count]) => `${NAME}{${labels}} ${count}`).sort();
  }
}

function labelsOf(info: RequestInfo | undefined, code: number): string {
  const { group = '', resource = '', subresource = '' } = info?.resource ?? {};
  const verb = info?.verb ?? 'get';
  // A subresource may be a path of the caller's own (proxy); only its first part is a name.
  const labels = { code: String(code), group, resource, subresource: subresource.split('/')[0] ?? '' };
  const named = Object.entries({ ...labels, verb: VERBS[verb] ?? verb.toUpperCase() });
  return named.map(([name, text]) => `${name}="${text.replace(/[\\"\n]/g, '_').slice(0, 64)}"`).join();
}

/** The document of `/metrics`: answered requests, and how many writes the store brought to disk in how many commits. */
export function metricsText(requests: RequestMetrics, stored: { commits: number; writes: number }): string {
  const header = (name: string, help: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} counter`];
  const ofStore = (name: string, help: string, count: number) => [...header(name, help), `${name} ${count}`];
  const lines = [
    ...header(NAME, 'Counter of requests by verb, group, resource, subresource and code.'),
    ...requests.lines(),
    ...ofStore('bravo_store_commits_total', 'Commits; writes that come together share one.', stored.commits),
    ...ofStore('bravo_store_writes_total', 'Writes in those commits.', stored.writes),
  ];
  return `${lines.join('\n')}\n`;
}
