import { driftWords, type SecretTexts } from '@/lib/kudo/upkeep/drift-words';
import type { InventoryEntry, InventoryRun } from '@/lib/kudo/upkeep/inventory';
import type { RepairPace } from '@/lib/kudo/upkeep/repair-pace';
import type { PutBack } from './put-back';

/** What was put back, and as which plan left it; no secret text is in it. */
export function repairedWords(
  done: PutBack,
  entry: InventoryEntry,
  run: InventoryRun,
  secretTexts: SecretTexts,
): string {
  const what = nameOf(entry);
  if (done.did !== 'changed') return `${what} had vanished and is made again as plan ${run.plan} left it.`;
  const words = driftWords(entry, done.differences, secretTexts);
  return `${what} was changed and is put back as plan ${run.plan} left it: ${words}.`;
}

/** Somebody else writes an object too, and so it is put back less often. */
export function slowedWords(entry: InventoryEntry, { inARow, spanMs }: RepairPace): string {
  return `${nameOf(entry)} was put back ${inARow} times and changes again each time; from now on it is put back at most every ${spanMs / 1000} s. Somebody else writes it too.`;
}

function nameOf({ kind, name }: InventoryEntry): string {
  return `${kind} ${name}`;
}
