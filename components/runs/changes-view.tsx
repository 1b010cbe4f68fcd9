import { EmptyState } from '@/components/ui/empty-state';
import type { PlanRun, RecordedChange } from '@/lib/kudo/runs/plan-run';

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
                <Value change={change} value={change.before} />
              </td>
              <td>
                <Value change={change} value={change.after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A secret value is a fingerprint, which says only whether it changed. */
function Value({ change, value }: { change: RecordedChange; value: string | undefined }) {
  if (value === undefined) return <span className="text-ink-3">default</span>;
  if (change.secret === true) return <span className="text-ink-2">secret value</span>;
  if (value === '') return <span className="text-ink-3">empty</span>;
  return <code className="whitespace-pre-wrap break-all">{value.trimEnd()}</code>;
}
