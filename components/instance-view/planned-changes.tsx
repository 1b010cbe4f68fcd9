import { Notice } from '@/components/ui/notice';

interface PlannedChangesProps {
  readonly plan: string;
  /** How many objects change. */
  readonly changed: number;
  /** How many objects are applied as they are. */
  readonly unchanged: number;
  readonly warnings: readonly string[];
  /** Sentences about objects that could not be rendered or checked. */
  readonly problems: readonly string[];
}

/** How much a plan changes, and what is to be known before it starts. */
export function PlannedChanges({ plan, changed, unchanged, warnings, problems }: PlannedChangesProps) {
  return (
    <>
      <h3 className="font-semibold">
        Plan <code>{plan}</code> changes {changed} {changed === 1 ? 'object' : 'objects'}
        <span className="font-normal text-ink-2"> and applies {unchanged} without a change</span>
      </h3>
      {warnings.map((warning) => (
        <Notice key={warning} tone="wait" title={warning} />
      ))}
      {problems.map((problem) => (
        <Notice key={problem} tone="fail" title={problem} />
      ))}
    </>
  );
}
