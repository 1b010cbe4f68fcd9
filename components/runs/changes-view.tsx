import { EmptyState } from '@/components/ui/empty-state';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { RecordedValue } from './recorded-value';

/** Parameters and version before and after. */
export function ChangesView({ run }: { run: PlanRun }) {
  const { changes = [], operatorVersion = '', operatorVersionBefore } = run.status ?? {};
  if (changes.length === 0 && operatorVersionBefore === undefined) {
    return (
      <EmptyState title="Nothing was changed">
        The run used the parameters and the version that the instance had before.
      </EmptyState>
    );
  }
  return (
    <div className="overflow-x-auto">
      <table className="table">
        <caption className="sr-only">Version and parameters before and after</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {operatorVersionBefore !== undefined && (
            <tr>
              <td className="font-medium">Version</td>
              <td>
                <code>{operatorVersionBefore}</code>
              </td>
              <td>
                <code>{operatorVersion}</code>
              </td>
            </tr>
          )}
          {changes.map((change) => (
            <tr key={change.name} data-parameter={change.name}>
              <td>
                <code className="break-all font-medium">{change.name}</code>
              </td>
              <td>
                <RecordedValue value={change.before} isSecret={change.secret === true} />
              </td>
              <td>
                <RecordedValue value={change.after} isSecret={change.secret === true} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
