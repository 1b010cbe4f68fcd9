import { Notice } from '@/components/ui/notice';
import { apiOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OperatorVersion } from '@/lib/kudo/types';

/** The kinds that an operator brings, and whether they are installed; nothing for an operator without any. */
export function KindsChoice({
  version,
  isSkipped,
  onChange,
}: {
  version: OperatorVersion;
  isSkipped: boolean;
  onChange: (isSkipped: boolean) => void;
}) {
  const kinds = apiOf(version);
  if (kinds.length === 0) return null;
  return (
    <Notice tone="hold" title={`The operator brings ${kinds.map(({ kind }) => kind).join(', ')}`}>
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={!isSkipped} onChange={(event) => onChange(!event.target.checked)} />
        Install these kinds for the whole cluster. The instance does not need them.
      </label>
    </Notice>
  );
}
