'use client';

import { useMemo, useState } from 'react';
import { useAddressFilter } from '@/components/live/use-address-filter';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { NewRows } from '@/components/ui/new-rows';
import { PageHeader } from '@/components/ui/page-header';
import { TopicState } from '@/components/ui/topic-state';
import { useHeldRows } from '@/components/ui/use-held-rows';
import {
  type Activity,
  type ActivityEntry,
  ALL_ACTIVITY,
  formatActivityFilter,
  parseActivityFilter,
} from '@/lib/audit/activity';
import { ActivityFilters } from './activity-filters';
import { ActivityTable } from './activity-table';
import { EntryDialog } from './entry-dialog';
import { ExportLinks } from './export-links';
import { useActivity } from './use-activity';

const FIRST = 1_000;

/** Who did what, when and with which result, with a filter that the address has. */
export function ActivityPage() {
  const { filter, change } = useAddressFilter(parseActivityFilter, formatActivityFilter);
  const scope = useNamespaceScope();
  const asked = useMemo(() => (scope === undefined ? filter : { ...filter, namespace: scope }), [filter, scope]);
  const [limit, setLimit] = useState(FIRST);
  const { data, error } = useActivity(asked, limit);
  const [opened, setOpened] = useState<ActivityEntry>();
  const rows = useMemo(() => (data?.entries ?? []).map((entry) => ({ key: keyOf(entry), entry })), [data]);
  const { shown, waiting, release, pointer } = useHeldRows(rows, `${limit} ${formatActivityFilter(asked)}`);
  return (
    <>
      <PageHeader
        title="Activity"
        note={data !== undefined && data.all > 0 && data.all.toLocaleString('en')}
        actions={data !== undefined && data.total > 0 && <ExportLinks filter={asked} />}
      >
        {data !== undefined && data.all > 0 && (
          <ActivityFilters choices={data.choices} filter={filter} change={change} hasScope={scope !== undefined}>
            <NewRows waiting={waiting} onShow={release} />
          </ActivityFilters>
        )}
      </PageHeader>
      <section className="card overflow-clip" aria-label="Activity" {...pointer}>
        <TopicState view={viewOf(data, error)} what="activity" />
        {data !== undefined && <Notes activity={data} />}
        {data?.all === 0 && <NothingYet mode={data.mode} />}
        {data !== undefined && data.all > 0 && shown.length === 0 && (
          <EmptyState
            title="No entry matches the filter"
            action={<Button onClick={() => change(ALL_ACTIVITY)}>Clear the filter</Button>}
          />
        )}
        {shown.length > 0 && <ActivityTable rows={shown} onOpen={setOpened} />}
        {data !== undefined && data.total > data.entries.length && (
          <div className="flex flex-wrap items-center gap-3 border-t px-4 py-2 text-ink-2">
            The newest {data.entries.length.toLocaleString('en')} of {data.total.toLocaleString('en')} entries are
            listed.
            <Button onClick={() => setLimit(limit * 4)}>List more</Button>
          </div>
        )}
      </section>
      {/* Children of the page itself are as wide as the page. */}
      <div>
        <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />
      </div>
    </>
  );
}

function keyOf({ source, id }: ActivityEntry): string {
  return `${source} ${id}`;
}

/** What was read before stays while the server does not answer. */
function viewOf(data: Activity | undefined, error: { readonly message: string } | null) {
  if (data !== undefined) return { status: 'ready' as const };
  return error === null ? { status: 'loading' as const } : { status: 'failed' as const, message: error.message };
}

/** Whose entries are missing here. */
function Notes({ activity: { mode, notes, all } }: { activity: Activity }) {
  const sentences = [...(all === 0 ? [] : MISSING[mode]), ...notes];
  if (sentences.length === 0) return null;
  return <p className="border-b px-4 py-2 text-ink-2">{sentences.join(' ')}</p>;
}

const MISSING: { readonly [mode in Activity['mode']]: readonly string[] } = {
  file: [],
  stdout: [
    'Runs and approvals are those of the whole cluster. Everything else is what went through this replica of the console since it started; the logs of the pods have the rest.',
  ],
  off: ['The audit log of this console is off (BRAVO_AUDIT=off): only runs and approvals are listed.'],
};

function NothingYet({ mode }: { mode: Activity['mode'] }) {
  return (
    <EmptyState title="Nobody has changed anything yet" guide="activity">
      Each change is listed here: who started which plan, edited parameters, approved a request, signed in or was
      refused, and from where. You see what concerns objects that you may read.
      {mode === 'off' && ' The audit log of this console is off (BRAVO_AUDIT=off): only runs and approvals are listed.'}
    </EmptyState>
  );
}
