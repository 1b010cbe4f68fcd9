import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import type { CreateOutcome } from './create-objects';

const LOOKS = {
  checked: { status: 'COMPLETE', word: 'Valid: the API server accepted a dry run.' },
  created: { status: 'COMPLETE', word: 'Created' },
  refused: { status: 'FATAL_ERROR', word: 'Refused' },
} as const;

/** What became of each object of the text. */
export function CreateOutcomes({ outcomes }: { outcomes: readonly CreateOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <ul aria-live="polite" className="divide-y divide-line border-t">
      {outcomes.map((outcome, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the documents of one text in their order, replaced as a whole
        <li key={index} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
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
        </li>
      ))}
    </ul>
  );
}
