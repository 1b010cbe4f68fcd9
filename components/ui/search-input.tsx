import { Search, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names';
import { useTypedText } from './use-typed-text';

/** A field that narrows what is below it. Escape and the cross empty it. */
export function SearchInput({
  label,
  value,
  onChange,
  className,
  onBlur,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { text, type, leave } = useTypedText(value, onChange);
  return (
    <div className={classNames('relative w-full max-w-[380px]', className)}>
      <Search
        size={15}
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-2.5 text-ink-3"
      />
      <input
        placeholder={label}
        {...rest}
        type="search"
        aria-label={label}
        value={text}
        onChange={(event) => type(event.target.value)}
        onBlur={(event) => {
          leave();
          onBlur?.(event);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type('');
          onKeyDown?.(event);
        }}
        className="control ps-8 pe-8 [&::-webkit-search-cancel-button]:hidden"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label="Clear"
          onClick={() => type('')}
          className="-translate-y-1/2 absolute top-1/2 right-1 grid size-6 place-items-center rounded-sm text-ink-3 hover:text-ink"
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
