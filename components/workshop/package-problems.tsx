import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { StatusIcon } from '@/components/ui/status-icon';
import type { DraftProblem } from '@/lib/workshop/check-draft';
import { quickFixOf } from '@/lib/workshop/quick-fix';
import type { Checks } from './use-checks';

const MOST_SHOWN = 100;

/** What the verification found, in all files: place, rule, and a button where a click fixes it. */
export function PackageProblems({
  checks,
  onGo,
  onFix,
}: {
  checks: Checks;
  onGo: (problem: DraftProblem) => void;
  onFix: (problem: DraftProblem) => void;
}) {
  const problems = checks.checked?.problems ?? [];
  return (
    <section
      aria-label="Problems"
      data-checked={checks.checkedRevision}
      data-revision={checks.revision}
      className="flex max-h-[38%] min-h-0 flex-col border-t"
    >
      <p role="status" className="flex items-center gap-2 px-3 py-1.5 font-medium text-xs">
        <Verdict checks={checks} />
      </p>
      <p id="workshop-keys" className="order-last border-t px-3 py-1 text-2xs text-ink-3 max-sm:sr-only">
        <Kbd>Ctrl Space</Kbd> completes, <Kbd>Esc</Kbd> <Kbd>Tab</Kbd> leaves the editor
      </p>
      {problems.length > 0 && (
        <ul
          aria-label="Problems of the package"
          className="min-h-0 flex-1 divide-y divide-line overflow-y-auto border-t"
        >
          {problems.slice(0, MOST_SHOWN).map((problem) => (
            <ProblemLine
              key={`${problem.path} ${problem.message}`}
              problem={problem}
              onGo={() => onGo(problem)}
              onFix={() => onFix(problem)}
            />
          ))}
          {problems.length > MOST_SHOWN && (
            <li className="px-3 py-1.5 text-ink-2">{problems.length - MOST_SHOWN} more</li>
          )}
        </ul>
      )}
    </section>
  );
}

function ProblemLine({ problem, onGo, onFix }: { problem: DraftProblem; onGo: () => void; onFix: () => void }) {
  const { severity, message, path, rule } = problem;
  const fix = quickFixOf(problem);
  return (
    <li data-rule={rule} data-severity={severity} className="flex flex-wrap items-start gap-x-2 gap-y-1 px-3 py-1.5">
      <span className={severity === 'error' ? 'mt-1 text-fail' : 'mt-1 text-wait'}>
        <StatusIcon shape={severity === 'error' ? 'octagon' : 'retry'} />
      </span>
      <button
        type="button"
        onClick={onGo}
        className="min-h-6 min-w-0 flex-1 basis-52 break-words text-start hover:underline focus-visible:-outline-offset-2"
      >
        <span className="sr-only">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
        {message}
        <span className="block text-ink-3 text-xs">
          <code>{path}</code> · rule {rule}
        </span>
      </button>
      {fix !== undefined && (
        <Button size="small" onClick={onFix} title={fix.title} aria-label={`Quick fix: ${fix.title}`}>
          Quick fix
        </Button>
      )}
    </li>
  );
}

function Verdict({ checks }: { checks: Checks }) {
  if (checks.problem !== undefined) {
    return <span className="text-fail">The package is not verified: {checks.problem}</span>;
  }
  if (checks.checked === undefined) return <span className="text-ink-2">Verifying…</span>;
  const { problems } = checks.checked;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  if (problems.length === 0) {
    return (
      <>
        <span className="text-ok">
          <StatusIcon shape="tick" />
        </span>
        The package is valid.
      </>
    );
  }
  return (
    <>
      <span className={errors > 0 ? 'text-fail' : 'text-wait'}>
        <StatusIcon shape={errors > 0 ? 'octagon' : 'retry'} />
      </span>
      {[counted(errors, 'error'), counted(problems.length - errors, 'warning')].filter(Boolean).join(', ')}
    </>
  );
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}
