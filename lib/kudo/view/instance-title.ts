import type { InstanceRow } from './instance-row';
import type { RunRow } from './run-row';
import type { Tone } from './status-words';
import { statusWords } from './status-words';

const marks: { readonly [tone in Tone]: string } = { ok: '✓', run: '◐', wait: '!', fail: '✗', hold: '◌', idle: '·' };

/** The title of the browser tab: `◐ Backing up – backup – orders-db`. */
export function instanceTitle(row: Pick<InstanceRow, 'state' | 'name' | 'active' | 'last'>, deleted: boolean): string {
  if (deleted) return `Deleted – ${row.name}`;
  const mark = marks[statusWords[row.state.key].tone];
  const plan = row.active?.name ?? (row.state.key === 'FATAL_ERROR' ? row.last?.name : undefined);
  return [`${mark} ${row.state.word}`, plan, row.name].filter((part) => part !== undefined).join(' – ');
}

/** The title of the page of a run: `✗ Failed – backup – orders-db`. */
export function runTitle({ status, plan, instance }: Pick<RunRow, 'status' | 'plan' | 'instance'>): string {
  const { tone, word } = statusWords[status];
  return `${marks[tone]} ${word} – ${plan} – ${instance}`;
}
