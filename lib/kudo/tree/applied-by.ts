import { parseTime } from '@/lib/clock/clock';
import {
  entriesOf,
  type Inventory,
  type InventoryEntry,
  type InventoryRun,
  inventoryKey,
} from '../inventory/inventory';
import { managingInstance } from '../inventory/managing-instance';
import { EXECUTION_UID_ANNOTATION } from '../names';
import type { Instance, OperatorVersion } from '../types';
import type { TreeObject } from './tree-object';

/** Which task applied an object last, in which run. */
export interface AppliedBy {
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  /** Empty when nothing says which task of the step it was. */
  readonly task: string;
  /** The uid of the run; empty when it is not known. */
  readonly run: string;
  /** When the run began, RFC 3339; empty when it is not known. */
  readonly at: string;
}

/** An entry of the inventory with what it says about the task. */
export interface AppliedEntry {
  readonly entry: InventoryEntry;
  readonly by: AppliedBy;
}

/** The entries of an inventory by {@link inventoryKey}. */
export function appliedEntries(inventory: Inventory | undefined): ReadonlyMap<string, AppliedEntry> {
  const all = entriesOf(inventory ?? { runs: [] });
  return new Map(all.map(({ entry, run }) => [inventoryKey(entry), { entry, by: byOfEntry(entry, run) }]));
}

function byOfEntry({ phase, step, task }: InventoryEntry, run: InventoryRun): AppliedBy {
  return { plan: run.plan, phase, step, task, run: run.uid, at: run.startedAt };
}

/**
 * Which task applied an object: as the inventory says, unless a later run that is not in the inventory did (it runs, or has failed); then as the annotations of
 * the object say. Undefined for an object that no plan applied.
 */
export function appliedBy(
  object: TreeObject,
  known: AppliedBy | undefined,
  { instance, version }: { readonly instance: Instance; readonly version: OperatorVersion | undefined },
): AppliedBy | undefined {
  const managing = managingInstance(object);
  if (managing === undefined || managing.name !== instance.metadata.name) return known;
  const run = object.metadata.annotations?.[EXECUTION_UID_ANNOTATION] ?? '';
  if (known !== undefined && !isLater(instance, managing.plan, { run, known })) return known;
  const { plan, phase, step } = managing;
  const status = instance.status?.planStatus?.[plan];
  const steps = status?.phases?.find(({ name }) => name === phase)?.steps ?? [];
  const begun = status?.uid === run ? steps?.find(({ name }) => name === step)?.startedTimestamp : undefined;
  const phases = version?.spec?.plans?.[plan]?.phases ?? [];
  const tasks = phases.find(({ name }) => name === phase)?.steps?.find(({ name }) => name === step)?.tasks ?? [];
  return { plan, phase, step, task: tasks.length === 1 ? (tasks[0] ?? '') : '', run, at: begun ?? '' };
}

/** True when the run in the annotations is the newest one of its plan, and was active after the run of the inventory began. */
function isLater(
  { status }: Instance,
  plan: string,
  { run, known }: { readonly run: string; readonly known: AppliedBy },
): boolean {
  if (run === '' || run === known.run) return false;
  const newest = status?.planStatus?.[plan];
  return newest?.uid === run && (parseTime(newest.lastUpdatedTimestamp) ?? 0) > (parseTime(known.at) ?? 0);
}
