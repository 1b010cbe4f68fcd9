import { arrayAt, getAt, type JsonValue, parseJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';

/**
 * The objects that the finished plans of an Instance applied, as JSON on the Instance: names, places and digests, never contents.
 *
 * `{"unsettled"?: "plan", "kept"?: true | "irreplaceable", "runs": [{"plan", "for"?, "uid", "startedAt", "objects": [[apiVersion, kind, name,
 * phase, step, task, digest], …]}, …], "behind"?: […]}`. A run is the execution that applied these objects last. `for` names the standing
 * plan that they belong to, when another one (a restart by hand) applied them last. `unsettled` names a plan that did not
 * end well: what it left is not known, and nothing is repaired until a plan is complete again. `kept` says that the Secret
 * `<instance>.bravo-objects` holds every manifest, or those of Secrets and with random bytes, which nothing else knows. An object is
 * in the Instance's namespace, or in none when its kind is cluster-scoped. `behind` has, in the same form, cluster-scoped objects of
 * earlier executions that are no longer in `runs`.
 */
export const INVENTORY_ANNOTATION = 'bravo.kudo.dev/inventory';

/** Annotations may have 256 KiB in all; about 1,200 objects fit. */
const MAX_CHARS = 120_000;

export interface InventoryEntry {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly phase: string;
  readonly step: string;
  readonly task: string;
  /** `manifestDigest` of what was applied: a keyed fingerprint for a Secret; empty when it is not known. */
  readonly digest: string;
}

export interface InventoryRun {
  readonly plan: string;
  readonly for?: string;
  readonly uid: string;
  /** RFC 3339: the `now` of its templates. */
  readonly startedAt: string;
  readonly objects: readonly InventoryEntry[];
}

export interface Inventory {
  readonly unsettled?: string;
  readonly kept?: 'all' | 'irreplaceable';
  readonly runs: readonly InventoryRun[];
  readonly behind?: readonly InventoryRun[];
}

/** The key of an object: group, kind and name, in any version. */
export function inventoryKey({ apiVersion, kind, name }: { apiVersion: string; kind: string; name: string }): string {
  const slash = apiVersion.indexOf('/');
  return `${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}/${name}`;
}

/** The key of an object itself. */
export function keyOfObject(object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>): string {
  return inventoryKey({ apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name ?? '' });
}

/** Every entry with its run. */
export function entriesOf(inventory: Inventory): { entry: InventoryEntry; run: InventoryRun }[] {
  return inventory.runs.flatMap((run) => run.objects.map((entry) => ({ entry, run })));
}

/** The inventory on an Instance; undefined when there is none that can be read (no plan has ended under Bravo yet). */
export function inventoryOf(instance: Pick<KubeObject, 'metadata'>): Inventory | undefined {
  const text = instance.metadata.annotations?.[INVENTORY_ANNOTATION];
  if (text === undefined) return undefined;
  const value = parseJsonObject(text);
  if (value === undefined || !Array.isArray(value.runs)) return undefined;
  const unsettled = stringAt(value, 'unsettled');
  return {
    ...(unsettled === undefined ? {} : { unsettled }),
    ...keptOf(value.kept),
    runs: value.runs.map(readRun),
    ...(Array.isArray(value.behind) ? { behind: value.behind.map(readRun) } : {}),
  };
}

function keptOf(value: JsonValue | undefined): Pick<Inventory, 'kept'> {
  if (value === true) return { kept: 'all' };
  return value === 'irreplaceable' ? { kept: value } : {};
}

function readRun(value: JsonValue): InventoryRun {
  const home = stringAt(value, 'for');
  return {
    plan: stringAt(value, 'plan') ?? '',
    ...(home === undefined ? {} : { for: home }),
    uid: stringAt(value, 'uid') ?? '',
    startedAt: stringAt(value, 'startedAt') ?? '',
    objects: arrayAt(value, 'objects').map((row) => {
      const cell = (index: number): string => {
        const found = getAt(row, index);
        return typeof found === 'string' ? found : '';
      };
      const [apiVersion, kind, name, phase, step] = [cell(0), cell(1), cell(2), cell(3), cell(4)];
      return { apiVersion, kind, name, phase, step, task: cell(5), digest: cell(6) };
    }),
  };
}

/** The annotation's text; undefined when there are too many objects for it. `behind` is dropped first. */
export function formatInventory(inventory: Inventory): string | undefined {
  const { unsettled, kept, runs, behind } = inventory;
  const text = JSON.stringify({
    ...(unsettled === undefined ? {} : { unsettled }),
    ...(kept === undefined ? {} : { kept: kept === 'all' ? true : kept }),
    runs: runs.map(rowsOf),
    ...(behind === undefined ? {} : { behind: behind.map(rowsOf) }),
  });
  if (text.length <= MAX_CHARS) return text;
  if (behind === undefined) return undefined;
  const { behind: _, ...rest } = inventory;
  return formatInventory(rest);
}

function rowsOf({ objects, ...run }: InventoryRun) {
  return {
    ...run,
    objects: objects.map((entry) => [
      entry.apiVersion,
      entry.kind,
      entry.name,
      entry.phase,
      entry.step,
      entry.task,
      entry.digest,
    ]),
  };
}
