import type { ReactNode } from 'react';
import { Chip } from '@/components/ui/chip';
import { FilterChoice } from '@/components/ui/filter-choice';
import { SearchInput } from '@/components/ui/search-input';
import { countStatuses, type RunFilter, TIME_SPANS, valuesOf } from '@/lib/kudo/view/run-filter';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { statusWords } from '@/lib/kudo/view/status-words';

/** Text, status, plan, person, time and Instance that narrow a list of runs. */
export function RunFilters({
  rows,
  filter,
  change,
  children,
}: {
  rows: readonly RunRow[];
  filter: RunFilter;
  change: (changes: Partial<RunFilter>) => void;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Filter"
        placeholder="Filter by name, instance:pg, reason:…"
        className="max-w-[300px]"
        value={filter.query}
        onChange={(query) => change({ query })}
      />
      <FilterChoice
        label="Plan"
        all="All plans"
        value={filter.plan}
        values={valuesOf(rows, 'plan', filter.plan).map(asIs)}
        onChange={(plan) => change({ plan })}
      />
      <FilterChoice
        label="Person"
        all="Everybody"
        value={filter.who}
        values={valuesOf(rows, 'who', filter.who).map(asIs)}
        onChange={(who) => change({ who })}
      />
      <FilterChoice
        label="Time"
        all="Any time"
        value={filter.within ?? ''}
        values={TIME_SPANS}
        onChange={(within) => change({ within: TIME_SPANS.find(([span]) => span === within)?.[0] })}
      />
      {filter.instance !== '' && (
        <Chip pressed title="Show runs of all instances" onClick={() => change({ instance: '' })}>
          Instance {filter.instance} <span aria-hidden="true">×</span>
        </Chip>
      )}
      {countStatuses(rows).map(([status, count]) => (
        <Chip
          key={status}
          pressed={filter.status === status}
          onClick={() => change({ status: filter.status === status ? undefined : status })}
        >
          {statusWords[status].word} <span className="tabular-nums">{count}</span>
        </Chip>
      ))}
      {children}
    </div>
  );
}

/** A choice that is its own word. */
function asIs(value: string): readonly [string, string] {
  return [value, value];
}
