import type { ButtonHTMLAttributes } from 'react';
import { classNames } from './class-names';

/** A filter that is on or off. */
export function Chip({ pressed, className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { pressed: boolean }) {
  return (
    <button
      {...rest}
      type="button"
      aria-pressed={pressed}
      className={classNames(
        'inline-flex h-[26px] items-center gap-1.5 whitespace-nowrap rounded-sm border px-2 text-xs',
        pressed
          ? 'border-accent bg-accent-soft text-accent'
          : 'border-line bg-surface text-ink-2 hover:border-ink-3 hover:text-ink',
        className,
      )}
    />
  );
}
