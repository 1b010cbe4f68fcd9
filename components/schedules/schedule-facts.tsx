import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { DEFAULT_DEADLINE_S } from '@/lib/kudo/schedules/plan-schedule';
import { formModel } from '@/lib/kudo/view/form-model';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { ScheduleRow } from '@/lib/kudo/view/schedule-row';
import { WhenWords } from './schedule-table';

/** What the schedule starts, when, and by which rules. */
export function ScheduleFacts({ row, target }: { row: ScheduleRow; target: InstanceRow | undefined }) {
  const { spec = {} } = row.schedule;
  const { confirm, startingDeadlineSeconds = DEFAULT_DEADLINE_S } = spec;
  return (
    <KeyValues
      entries={[
        [
          'Instance',
          <Link key="instance" className="link font-medium" href={instancePath(row.namespace, row.instance)}>
            {row.instance}
          </Link>,
        ],
        ['Plan', <code key="plan">{row.plan}</code>],
        ['When', <WhenWords key="when" row={row} />],
        ['Expression', <code key="expression">{row.expression}</code>],
        ['Busy', spec.concurrencyPolicy === 'Wait' ? 'Waits until the plan that runs has ended' : 'Skips the time'],
        [
          'Missed time',
          spec.missedRunPolicy === 'Skip'
            ? 'Is left'
            : `The last one starts, at most ${startingDeadlineSeconds / 60} min late`,
        ],
        ['Blackouts', blackoutsOf(row)],
        ['Parameters', <Parameters key="parameters" row={row} target={target} />],
        ['Confirmed', confirm === undefined || confirm === '' ? undefined : <code key="confirm">{confirm}</code>],
        ['Missed', row.missed === 0 ? undefined : `${row.missed} without a run`],
      ]}
    />
  );
}

function blackoutsOf({ schedule }: ScheduleRow) {
  const { blackouts = [] } = schedule.spec ?? {};
  if (blackouts.length === 0) return undefined;
  return (
    <ul>
      {blackouts.map(({ start, durationMinutes, timeZone }) => (
        <li key={`${start} ${durationMinutes} ${timeZone}`}>
          <code>{start}</code> for {durationMinutes} min{timeZone !== undefined && `, ${timeZone}`}
        </li>
      ))}
    </ul>
  );
}

/** Values are shown only of parameters that are known not to be secret. */
function Parameters({ row, target }: { row: ScheduleRow; target: InstanceRow | undefined }) {
  const entries = Object.entries(row.schedule.spec?.parameters ?? {});
  const version = target?.operatorVersionObject;
  const fields = version === undefined ? [] : formModel(version).flatMap((group) => group.fields);
  const open = new Set(fields.filter(({ isSecret }) => !isSecret).map(({ name }) => name));
  if (entries.length === 0) return <span className="text-ink-3">As the instance has them</span>;
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name}>
          <code>{name}</code>: {open.has(name) ? <code>{value}</code> : <span className="text-ink-3">hidden</span>}
        </li>
      ))}
    </ul>
  );
}
