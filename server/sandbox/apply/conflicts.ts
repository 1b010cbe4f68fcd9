import type { FieldSet } from './field-set';
import type { ManagerEntry } from './managers';
import { printPath } from './path-element';

/** One field that an apply would take from another manager. */
export interface ApplyConflict {
  /** `.spec.replicas` */
  readonly field: string;
  /** `conflict with "kubectl"` */
  readonly message: string;
  readonly manager: string;
}

/** The conflicts of one manager, by its fields in order. */
export function conflictsWith(entry: ManagerEntry, fields: FieldSet): ApplyConflict[] {
  const manager = printManager(entry);
  return [...fields.paths()].map((path) => ({
    field: printPath(path),
    message: `conflict with ${manager}`,
    manager,
  }));
}

/** `"name"`, and for updaters the subresource, version and time (apiserver managedfields printManager). */
function printManager({ manager, subresource, operation, apiVersion, time }: ManagerEntry): string {
  const name = JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  if (operation !== 'Update') return name;
  return time === undefined ? `${name} using ${apiVersion}` : `${name} using ${apiVersion}`;
}

/** The message of the 409 that answers a conflicting apply. */
export function conflictMessage(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].sort();
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
