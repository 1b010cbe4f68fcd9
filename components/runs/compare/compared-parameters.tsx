import { RecordedValue } from '@/components/runs/recorded-value';
import { EmptyState } from '@/components/ui/empty-state';
import type { ParameterDifference } from '@/lib/kudo/runs/comparison';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** The parameters whose values are others in the later run, also by what runs in between changed. */
export function ComparedParameters({
  differences,
  earlier,
  later,
}: {
  /** Undefined when the runs are of different Instances. */
  differences: readonly ParameterDifference[] | undefined;
  earlier: RunRow;
  later: RunRow;
}) {
  if (differences === undefined) {
    return (
      <EmptyState title="The parameters are not compared">
        The instance was deleted and created again between the runs, so the values of {earlier.name} are not known.
      </EmptyState>
    );
  }
  if (differences.length === 0) return <EmptyState title="The parameters are the same" />;
  return (
    <table className="table table-fixed">
      <caption className="sr-only">Parameters that differ</caption>
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col" className="truncate" title={earlier.name}>
            {earlier.name}
          </th>
          <th scope="col" className="truncate" title={later.name}>
            {later.name}
          </th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ name, from, to, isSecret }) => (
          <tr key={name} data-parameter={name}>
            <td>
              <code className="break-all font-medium">{name}</code>
            </td>
            <td>
              <RecordedValue value={from} isSecret={isSecret} />
            </td>
            <td>
              <RecordedValue value={to} isSecret={isSecret} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
