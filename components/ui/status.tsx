import { type StatusKey, statusWords } from '@/lib/kudo/view/status-words';
import { classNames } from './class-names';
import { StatusIcon } from './status-icon';
import { toneSoft, toneText } from './tones';

interface StatusProps {
  status: StatusKey;
  /** Replaces the default word, for example by `Backing up`; shape and colour stay. */
  word?: string | undefined;
  className?: string;
}

/** The icon and the word of a status. */
export function StatusText({ status, word, className }: StatusProps) {
  const look = statusWords[status];
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-[7px] whitespace-nowrap align-middle font-medium',
        toneText[look.tone],
        className,
      )}
    >
      <StatusIcon shape={look.shape} />
      {word ?? look.word}
    </span>
  );
}

/** The status as a pill with its reason in one sentence; wraps when the reason is long. */
export function StatusPill({ status, word, reason, className }: StatusProps & { reason?: string | undefined }) {
  const look = statusWords[status];
  const text = reason === undefined || reason === '' ? (word ?? look.word) : `${word ?? look.word}: ${reason}`;
  return (
    <span
      className={classNames(
        'inline-flex min-h-[26px] max-w-full items-center gap-[7px] rounded-[13px] py-[3px] ps-[9px] pe-[11px] font-medium',
        toneText[look.tone],
        toneSoft[look.tone],
        className,
      )}
    >
      <StatusIcon shape={look.shape} />
      <span className="line-clamp-2 min-w-0" title={text}>
        {text}
      </span>
    </span>
  );
}

/** The icon of a status alone; its word is for screen readers. For rows that have a text already. */
export function StatusMark({ status, word, className }: StatusProps) {
  const look = statusWords[status];
  return (
    <span className={classNames('inline-flex', toneText[look.tone], className)} title={word ?? look.word}>
      <StatusIcon shape={look.shape} />
      <span className="sr-only">{word ?? look.word}</span>
    </span>
  );
}
