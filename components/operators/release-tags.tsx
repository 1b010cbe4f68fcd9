import { Tag } from '@/components/ui/tag';
import { advisoryWords } from '@/lib/kudo/upgrades/advisory-words';
import type { ReleaseMark } from '@/lib/kudo/view/release-marks';

/** What needs attention of an operator: outdated and withdrawn versions, and advisories. Nothing when all is well. */
export function ReleaseTags({ mark: { outdated, withdrawn, advisories } }: { mark: ReleaseMark }) {
  const [worst] = advisories;
  const isBad = worst?.severity === 'critical' || worst?.severity === 'high';
  return (
    <>
      {outdated > 0 && <Tag tone="wait">{outdated} outdated</Tag>}
      {withdrawn > 0 && <Tag tone="fail">{withdrawn} withdrawn</Tag>}
      {worst !== undefined && (
        <Tag tone={isBad ? 'fail' : 'wait'}>
          {advisories.length === 1 ? worst.id : `${advisories.length} advisories`}
          <span className="sr-only">: {advisories.map(advisoryWords).join(' ')}</span>
        </Tag>
      )}
    </>
  );
}
