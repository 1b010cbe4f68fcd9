import type { StatusKey } from '@/lib/kudo/view/status-words';

/** Columns that speak of a state; their words get a shape and a colour. */
const STATE_COLUMNS = new Set(['Status', 'Phase', 'State', 'Health', 'Established', 'Condition', 'Available']);

const WORDS: ReadonlyMap<string, StatusKey> = new Map<string, StatusKey>([
  ['Running', 'healthy'],
  ['Active', 'healthy'],
  ['Bound', 'healthy'],
  ['Ready', 'healthy'],
  ['Available', 'healthy'],
  ['True', 'healthy'],
  ['Complete', 'COMPLETE'],
  ['COMPLETE', 'COMPLETE'],
  ['Completed', 'COMPLETE'],
  ['Succeeded', 'COMPLETE'],
  ['IN_PROGRESS', 'IN_PROGRESS'],
  ['PENDING', 'PENDING'],
  ['NEVER_RUN', 'NEVER_RUN'],
  ['ContainerCreating', 'IN_PROGRESS'],
  ['PodInitializing', 'IN_PROGRESS'],
  ['Pending', 'waiting'],
  ['Released', 'waiting'],
  ['NotReady', 'waiting'],
  ['Unknown', 'unknown'],
  ['Terminating', 'deleting'],
  ['Suspended', 'paused'],
]);

const FAILURE = /fail|err|backoff|oomkilled|evicted|lost|invalid/i;

/** The status that a cell speaks of; undefined when it is plain text. */
export function statusOfCell(column: string, text: string): StatusKey | undefined {
  if (!STATE_COLUMNS.has(column) || text === '') return undefined;
  const known = WORDS.get(text.split(',')[0] ?? text);
  if (known !== undefined) return known;
  // Of an APIService: `False (MissingEndpoints)`.
  if (text.startsWith('False (')) return 'waiting';
  return FAILURE.test(text) ? 'FATAL_ERROR' : undefined;
}
