'use client';

import { Download } from 'lucide-react';
import { useState } from 'react';
import { serverPath } from '@/components/live/address';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { TopicState } from '@/components/ui/topic-state';
import { UsageTable } from './usage-table';
import { type Usage, useUsage, useUsageQuery } from './use-usage';

/** Instance-hours and units of operators, by namespace, operator and month, as far as the person may read the namespaces. */
export function UsagePage() {
  const all = useUsageQuery('');
  const { data, error } = useUsage(all);
  const [chosen, setChosen] = useState<string>();
  const month = chosen ?? data?.months[0] ?? '';
  const query = useUsageQuery(month);
  const rows = (data?.rows ?? []).filter((row) => month === '' || row.month === month);
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          rows.length > 0 && (
            <a
              className="btn"
              data-size="small"
              href={serverPath(`/api/usage?${query}&format=csv`)}
              download={fileName(month)}
            >
              <Download size={14} aria-hidden="true" />
              CSV
            </a>
          )
        }
      >
        {data !== undefined && data.months.length > 0 && (
          <label className="flex items-center gap-2 text-ink-2">
            Month
            <select className="input w-auto" value={month} onChange={(event) => setChosen(event.target.value)}>
              {data.months.map((name) => (
                <option key={name}>{name}</option>
              ))}
              <option value="">All months</option>
            </select>
          </label>
        )}
      </PageHeader>
      <section className="card overflow-clip" aria-label="Usage">
        <TopicState view={viewOf(data, error)} what="usage" />
        {data !== undefined && data.notes.length > 0 && (
          <p className="border-b px-4 py-2 text-ink-2">{data.notes.join(' ')}</p>
        )}
        {data?.rows.length === 0 && (
          <EmptyState title="Nothing was counted yet" guide="usage">
            The controller counts the hours of each instance, and the units that its operator meters, by month in UTC.
            You see the namespaces whose ConfigMaps you may read.
          </EmptyState>
        )}
        {rows.length > 0 && <UsageTable rows={rows} isWhole={month === ''} />}
      </section>
    </>
  );
}

function fileName(month: string): string {
  return `bravo-usage${month === '' ? '' : `-${month}`}.csv`;
}

function viewOf(data: Usage | undefined, error: { readonly message: string } | null) {
  if (data !== undefined) return { status: 'ready' as const };
  return error === null ? { status: 'loading' as const } : { status: 'failed' as const, message: error.message };
}
