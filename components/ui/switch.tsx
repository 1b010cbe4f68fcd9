import type { ButtonHTMLAttributes } from 'react';

/** A switch, on or off. */
export function Switch({
  checked,
  onChange,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onChange'> & {
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <button
      {...rest}
      type="button"
      role="switch"
      aria-checked={checked}
      onClick={() => onChange(!checked)}
      className="relative h-5 w-9 shrink-0 rounded-full border border-ink-3 bg-sunken transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
    >
      <span
        aria-hidden="true"
        className={`absolute top-0.5 size-[14px] rounded-full transition-[left] ${checked ? 'left-[18px] bg-on-accent' : 'left-0.5 bg-ink-3'}`}
      />
    </button>
  );
}
