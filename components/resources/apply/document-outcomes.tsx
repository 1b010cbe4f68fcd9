import { Button } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { ReversalList } from '../ownership/reversal-list';
import { TakeElsewhere } from '../ownership/take-elsewhere';
import { type ConflictAnswer, type DocumentOutcome, MANAGED } from './document-outcome';
import type { ManagedChange } from './managed-change';

const LOOKS = {
  checked: { status: 'COMPLETE', word: 'Valid: the API server accepted a dry run.' },
  later: { status: 'waiting', word: 'Not checked yet' },
  created: { status: 'COMPLETE', word: 'Created' },
  configured: { status: 'COMPLETE', word: 'Configured' },
  unchanged: { status: 'COMPLETE', word: 'Unchanged' },
  conflict: { status: 'waiting', word: 'Conflict' },
  managed: { status: 'waiting', word: 'Managed elsewhere' },
  refused: { status: 'FATAL_ERROR', word: 'Refused' },
  skipped: { status: 'unknown', word: 'Skipped' },
} as const;

/** The answers to the questions of all documents, as `SendOptions` has them. */
interface Answers {
  readonly answers: ReadonlyMap<string, ConflictAnswer>;
  readonly onAnswer: (key: string, answer: ConflictAnswer) => void;
}

/** What became of each object of the text. */
export function DocumentOutcomes({
  outcomes,
  ...answering
}: { readonly outcomes: readonly DocumentOutcome[] } & Answers) {
  if (outcomes.length === 0) return null;
  return (
    <ul aria-live="polite" className="divide-y divide-line border-t">
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the documents of one text in their order, replaced as a whole
        <li key={index} className="flex flex-wrap items-start gap-x-3 px-4 py-2">
          <StatusText {...LOOKS[outcome.status]} />
          <span className="font-medium">
            {outcome.href === undefined ? (
              outcome.title
            ) : (
              <Link className="link text-accent" href={outcome.href}>
                {outcome.title}
              </Link>
            )}
          </span>
          <span className="min-w-0 flex-1 basis-60 text-ink-2">
            {outcome.causes.length === 0
              ? outcome.message
              : outcome.causes.map(({ field, message }) => (
                  <span key={`${field} ${message}`} className="block">
                    <code>{field}</code> {message}
                  </span>
                ))}
          </span>
          {outcome.conflicts.length > 0 && <Conflicts {...{ outcome, index }} {...answering} />}
          {outcome.managed !== undefined && (
            <Managed title={outcome.title} managed={outcome.managed} index={index} {...answering} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface ConflictsProps extends Answers {
  readonly outcome: DocumentOutcome;
  readonly index: number;
}

/** The fields of other managers, each with the two answers. Nothing of the document is written before all are answered. */
function Conflicts({ outcome, index, answers, onAnswer }: ConflictsProps) {
  const choices = [
    ['take', 'Take over'],
    ['keep', 'Keep theirs'],
  ] as const;
  return (
    <ul aria-label={`Conflicts of ${outcome.title}`} className="grid w-full gap-2 py-1">
      {outcome.conflicts.map(({ field, manager }) => (
        <li key={`${manager} ${field}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 break-words">
            {manager} sets <code>{field}</code>
          </span>
          <span className="flex gap-2">
            {choices.map(([answer, word]) => (
              <Button
                key={answer}
                size="small"
                variant={answers.get(`${index} ${field}`) === answer ? 'primary' : 'default'}
                aria-pressed={answers.get(`${index} ${field}`) === answer}
                aria-label={`${word}: ${field}`}
                onClick={() => onAnswer(`${index} ${field}`, answer)}
              >
                {word}
              </Button>
            ))}
          </span>
        </li>
      ))}
      <li className="text-ink-2">
        Answer each field, then press Apply. A field that is kept is left out of the request.
      </li>
    </ul>
  );
}

interface ManagedProps extends Answers {
  readonly title: string;
  readonly managed: ManagedChange;
  readonly index: number;
}

/** Who reverts the change, with what one can do: make it all the same, or take it to where the manifests are. */
function Managed({ title, managed, index, answers, onAnswer }: ManagedProps) {
  const { reversals, change, owner } = managed;
  const key = `${index} ${MANAGED}`;
  const isTaken = answers.has(key);
  return (
    <section aria-label={`Who reverts the change of ${title}`} className="grid w-full gap-2 py-1">
      <ReversalList reversals={reversals} what={title} />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant={isTaken ? 'primary' : 'default'} aria-pressed={isTaken} onClick={() => onAnswer(key, 'take')}>
          Apply anyway
        </Button>
        {change !== undefined && <TakeElsewhere change={change} owner={owner} />}
        <span className="text-ink-2">It is written when you have chosen, and press Apply again.</span>
      </div>
    </section>
  );
}
