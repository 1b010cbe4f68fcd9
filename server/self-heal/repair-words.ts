import { driftWords, type SecretTexts } from '@/lib/kudo/drift/drift-words';
import type { InventoryEntry, InventoryRun } from '@/lib/kudo/inventory/inventory';
import type { RepairPace } from '@/lib/kudo/self-heal/repair-pace';
import type { PutBack } from './put-back';

/** What was reverted or created again, and to what which plan left; no secret text is in it. */
export function repairedWords(
  done: PutBack,
  entry: InventoryEntry,
  run: InventoryRun,
  secretTexts: SecretTexts,
): string {
  const what = nameOf(entry);
  if (done.did !== 'changed') return `${what} was missing and is created again as plan ${run.plan} left it.`;
  const words = driftWords(entry, done.differences, secretTexts);
  return `${what} was changed and is reverted to what plan ${run.plan} left: ${words}.`;
}

/** Another client writes an object too, and so it is reverted less often. */
export function slowedWords(entry: InventoryEntry, { inARow, spanMs }: RepairPace): string {
  return `${nameOf(entry)} was reverted ${inARow} times and changed again each time: another client writes it too. From now on it is reverted at most every ${spanMs / 1000} s.`;
}

function nameOf({ kind, name }: InventoryEntry): string {
  return `${kind} ${name}`;
}
