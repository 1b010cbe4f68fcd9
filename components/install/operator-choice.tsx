'use client';

import { useState } from 'react';
import { filterOperators, type OperatorRow } from '@/components/operators/catalogue-rows';
import { installPath } from '@/components/operators/operator-path';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { Tag } from '@/components/ui/tag';

/** The first question of an install: which operator. */
export function OperatorChoice({ rows }: { rows: readonly OperatorRow[] }) {
  const [filter, setFilter] = useState('');
  const installable = rows.filter(({ versions }) => versions.some(({ origin }) => origin !== undefined));
  const shown = filterOperators(installable, filter);
  return (
    <>
      <PageHeader title="Install" note="Which operator?">
        <SearchInput label="Find an operator" value={filter} onChange={setFilter} />
      </PageHeader>
      {shown.length === 0 && (
        <Card>
          <EmptyState
            title="No operator matches"
            action={<Button onClick={() => setFilter('')}>Clear the filter</Button>}
          >
            You can upload other packages on the page Operators.
          </EmptyState>
        </Card>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((row) => (
          <OperatorTile key={row.name} row={row} />
        ))}
      </ul>
    </>
  );
}

function OperatorTile({ row }: { row: OperatorRow }) {
  const versions = row.versions.filter(({ origin }) => origin !== undefined);
  const [best] = versions;
  if (best === undefined) return null;
  return (
    <li className="card relative grid content-start gap-2 p-4 hover:border-ink-3">
      <div className="flex items-baseline gap-2">
        <Link
          className="font-semibold text-md after:absolute after:inset-0 after:rounded-lg"
          href={installPath(row.name, best.key)}
        >
          {row.name}
        </Link>
        <code className="text-ink-2">{best.appVersion || best.operatorVersion}</code>
        {versions.length > 1 && <span className="ms-auto text-ink-3">{versions.length} versions</span>}
      </div>
      <p className="line-clamp-3 text-ink-2">{row.description || 'No description.'}</p>
      <div className="flex flex-wrap gap-1.5">
        {best.origin === 'uploaded' && <Tag>uploaded</Tag>}
        {row.instanceCount > 0 && (
          <Tag>
            {row.instanceCount} {row.instanceCount === 1 ? 'instance' : 'instances'} here
          </Tag>
        )}
      </div>
    </li>
  );
}
