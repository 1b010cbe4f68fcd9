import type { RequestInfo } from '../rbac/request-info';

/** What the store has committed: see {@link metricsText}. */
export interface CommitCounts {
  readonly commits: number;
  readonly writes: number;
}

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
    return [...this.counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([labels, count]) => `${NAME}{${labels}} ${count}`);
  }
}

const NAME = 'apiserver_request_total';
/** Names of resources come from outside; what is more than this is counted without a name. */
const MAX_SERIES = 2_000;

/** Verbs as the metric says them; others are their own name in capitals. */
const VERBS: { readonly [verb: string]: string } = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
};

function labelsOf(info: RequestInfo | undefined, code: number): string {
  const { group = '', resource = '', subresource = '' } = info?.resource ?? {};
  const verb = VERBS[info?.verb ?? ''] ?? (info?.verb ?? 'get').toUpperCase();
  // A subresource may be a path of the caller's own (proxy); only its first part is a name.
  const first = subresource.split('/')[0] ?? '';
  return `code="${code}",group="${quote(group)}",resource="${quote(resource)}",subresource="${quote(first)}",verb="${verb}"`;
}

function quote(text: string): string {
  return text.replace(/[\\"\n]/g, '_').slice(0, 64);
}

/** The document of `/metrics`: answered requests, and how many writes the store brought to disk in how many commits. */
export function metricsText(requests: RequestMetrics, { commits, writes }: CommitCounts): string {
  return [
    `# HELP ${NAME} Counter of requests by verb, group, resource, subresource and code.`,
    `# TYPE ${NAME} counter`,
    ...requests.lines(),
    '# HELP bravo_store_commits_total Commits of the store; writes that come together share one.',
    '# TYPE bravo_store_commits_total counter',
    `bravo_store_commits_total ${commits}`,
    '# HELP bravo_store_writes_total Writes in those commits.',
    '# TYPE bravo_store_writes_total counter',
    `bravo_store_writes_total ${writes}`,
    '',
  ].join('\n');
}
