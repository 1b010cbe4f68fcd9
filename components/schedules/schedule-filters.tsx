import { Chip } from '@/components/ui/chip';
import { Select } from '@/components/ui/input';
import { SearchInput } from '@/components/ui/search-input';
import { countStates, type ScheduleFilter } from '@/lib/kudo/view/schedule-filter';
import { type ScheduleRow, scheduleStateWords } from '@/lib/kudo/view/schedule-row';

/** Text, plan, Instance and state that narrow a list of schedules. */
export function ScheduleFilters({
  rows,
  filter,
  change,
}: {
  rows: readonly ScheduleRow[];
  filter: ScheduleFilter;
  change: (changes: Partial<ScheduleFilter>) => void;
}) {
  const plans = [...new Set([...rows.map(({ plan }) => plan), filter.plan])].filter((plan) => plan !== '').sort();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Filter"
        placeholder="Filter by name, instance, zone…"
        className="max-w-[300px]"
        value={filter.query}
        onChange={(query) => change({ query })}
      />
      <Select
        aria-label="Plan"
        className="!w-auto max-w-[180px]"
        value={filter.plan}
        onChange={(event) => change({ plan: event.target.value })}
      >
        <option value="">All plans</option>
        {plans.map((plan) => (
          <option key={plan} value={plan}>
            {plan}
          </option>
        ))}
      </Select>
      {filter.instance !== '' && (
        <Chip pressed title="Show schedules of all instances" onClick={() => change({ instance: '' })}>
          Instance {filter.instance} <span aria-hidden="true">×</span>
        </Chip>
      )}
      {countStates(rows).map(([state, count]) => (
        <Chip
          key={state}
          pressed={filter.state === state}
          onClick={() => change({ state: filter.state === state ? undefined : state })}
        >
          {scheduleStateWords[state].word} <span className="tabular-nums">{count}</span>
        </Chip>
      ))}
    </div>
  );
}
