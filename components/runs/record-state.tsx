import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ReadRecord } from './use-run-record';

/** Shown instead of a part of the record that is not there yet, or cannot be read. Null when it was read. */
export function RecordState({ read }: { read: ReadRecord }) {
  if (read.isReading) return <SkeletonRows />;
  if (read.problem === undefined) return null;
  return (
    <div className="p-4">
      <Notice tone="hold" title="The record of what the run applied cannot be read">
        {read.problem}
      </Notice>
    </div>
  );
}
