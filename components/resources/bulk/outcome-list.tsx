import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import type { BulkOutcome } from '@/lib/kube/bulk/run-bulk';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import { type BulkTarget, placeOfTarget, targetName } from './bulk-target';

/** Rows that are drawn; the failures come first. */
const MOST = 100;

const LOOKS: { readonly [result in BulkOutcome<unknown>['result']]: readonly [status: StatusKey, word: string] } = {
  failed: ['FATAL_ERROR', 'Failed'],
  skipped: ['skipped', 'Left as it is'],
  stopped: ['cancelled', 'Not reached'],
  done: ['COMPLETE', 'Done'],
};
const RESULTS = Object.keys(LOOKS) as BulkOutcome<unknown>['result'][];

/** How far an action of many objects is, and what became of each. */
export function OutcomeList({ outcomes, total }: { outcomes: readonly BulkOutcome<BulkTarget>[]; total: number }) {
  const counts = RESULTS.map((result) => [result, outcomes.filter((each) => each.result === result).length] as const);
  const said = counts.filter(([, count]) => count > 0).map(([result, count]) => `${count} ${WORDS[result]}`);
  const ordered = RESULTS.flatMap((result) => outcomes.filter((each) => each.result === result));
  return (
    <div className="grid gap-2">
      <progress className="h-1.5 w-full" max={Math.max(1, total)} value={outcomes.length} aria-label="Progress" />
      <p role="status">
        {outcomes.length} of {total}
        {said.length > 0 && `: ${said.join(', ')}`}
      </p>
      {ordered.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section tabIndex={0} aria-label="What became of each" className="max-h-64 overflow-y-auto rounded-md border">
          <ul className="divide-y divide-line">
            {ordered.slice(0, MOST).map(({ target, result, message }) => (
              <li key={target.uid} data-result={result} className="flex flex-wrap gap-x-3 px-3 py-1.5">
                <StatusText status={LOOKS[result][0]} word={LOOKS[result][1]} className="w-32" />
                <Link className="link min-w-0 truncate" href={placeOfTarget(target).href} prefetch={false}>
                  {targetName(target)}
                </Link>
                {message !== undefined && <span className="w-full text-ink-2 text-xs">{message}</span>}
              </li>
            ))}
            {ordered.length > MOST && <li className="px-3 py-1.5 text-ink-2">and {ordered.length - MOST} more</li>}
          </ul>
        </section>
      )}
    </div>
  );
}

const WORDS: { readonly [result in BulkOutcome<unknown>['result']]: string } = {
  failed: 'failed',
  skipped: 'left as they are',
  stopped: 'not reached',
  done: 'done',
};
