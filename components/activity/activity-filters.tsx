import type { ReactNode } from 'react';
import { Chip } from '@/components/ui/chip';
import { FilterChoice } from '@/components/ui/filter-choice';
import { SearchInput } from '@/components/ui/search-input';
import { ACTIVITY_SPANS, type Activity, type ActivityFilter } from '@/lib/audit/activity';
import { AUDIT_RESULTS } from '@/lib/audit/audit-entry';
import { resultLooks } from './result-looks';

/** Text, person, verb, resource, namespace, time and result that narrow the activity. */
export function ActivityFilters({
  choices,
  filter,
  change,
  hasScope,
  children,
}: {
  choices: Activity['choices'];
  filter: ActivityFilter;
  change: (changes: Partial<ActivityFilter>) => void;
  /** True when the console shows one namespace alone. */
  hasScope: boolean;
  children: ReactNode;
}) {
  const choice = (field: keyof Activity['choices'], label: string, all: string) => (
    <FilterChoice
      label={label}
      all={all}
      value={filter[field]}
      values={[...new Set([...choices[field], filter[field]])]
        .filter((value) => value !== '')
        .map((value) => [value, value])}
      onChange={(value) => change({ [field]: value })}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Filter"
        placeholder="Filter by person, name, plan, address…"
        className="sm:max-w-[280px]!"
        value={filter.text}
        onChange={(text) => change({ text })}
      />
      {choice('person', 'Person', 'Everybody')}
      {choice('verb', 'Verb', 'All verbs')}
      {choice('resource', 'Kind of object', 'All objects')}
      {!hasScope && choice('namespace', 'In namespace', 'Everywhere')}
      <FilterChoice
        label="Time"
        all="Any time"
        value={filter.within ?? ''}
        values={ACTIVITY_SPANS}
        onChange={(within) => change({ within: ACTIVITY_SPANS.find(([span]) => span === within)?.[0] })}
      />
      <span className="inline-flex gap-2">
        {AUDIT_RESULTS.map((result) => (
          <Chip
            key={result}
            pressed={filter.result === result}
            onClick={() => change({ result: filter.result === result ? undefined : result })}
          >
            {resultLooks[result].word}
          </Chip>
        ))}
      </span>
      {children}
    </div>
  );
}
