import type { ReactNode } from 'react';
import type { Tone } from '@/lib/kudo/view/status-words';
import { classNames } from './class-names';
import { toneSoft, toneText } from './tones';

/** A small label; with a tone only when it shows a state. */
export function Tag({ children, tone, className }: { children: ReactNode; tone?: Tone; className?: string }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-sm border px-[7px] py-px text-xs',
        tone === undefined
          ? 'border-line bg-sunken text-ink-2'
          : classNames('border-transparent', toneSoft[tone], toneText[tone]),
        className,
      )}
    >
      {children}
    </span>
  );
}
