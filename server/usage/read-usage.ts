import { messageOf } from '@/lib/errors/errors';
import type { UsageLedger } from '@/lib/kudo/usage/ledger';
import { byPlace, type UsageRow, usageRows } from '@/lib/kudo/usage/rows';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import { listLedgers } from './ledger-store';

/** What a person may see of the usage. */
export interface UsageReport {
  readonly rows: readonly UsageRow[];
  /** Sentences about what is missing. */
  readonly notes: readonly string[];
}

export interface UsageQuestion {
  /** Undefined: all namespaces that may be read. */
  readonly namespace?: string | undefined;
  /** Read one by one where the person may not list ConfigMaps of all namespaces. */
  readonly known?: readonly string[];
  readonly nowMs: number;
}

/** Usage by month, namespace, operator and meter, as far as the ledgers may be read. @throws the API's error */
export async function readUsage(api: Api, { namespace, known = [], nowMs }: UsageQuestion): Promise<UsageReport> {
  if (namespace !== undefined) return report(await listLedgers(api, namespace), [], nowMs);
  try {
    return report(await listLedgers(api), [], nowMs);
  } catch (error) {
    if (codeOf(error) !== 403) throw error;
  }
  const ledgers = new Map<string, UsageLedger>();
  const notes: string[] = [];
  for (const name of new Set(known)) {
    try {
      for (const [place, ledger] of await listLedgers(api, name)) ledgers.set(place, ledger);
    } catch (error) {
      notes.push(`Usage of namespace ${name} cannot be read: ${messageOf(error)}`);
    }
  }
  return report(ledgers, notes, nowMs);
}

function report(ledgers: ReadonlyMap<string, UsageLedger>, notes: readonly string[], nowMs: number): UsageReport {
  const rows = [...ledgers].flatMap(([namespace, ledger]) => usageRows(ledger, namespace, nowMs));
  return { rows: rows.sort(byPlace), notes };
}
