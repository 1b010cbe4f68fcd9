import { useId } from 'react';

/** One setting with few values, each with what it does. The browser's own radio buttons: arrow keys choose. */
export function ChoiceGroup<T extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly (readonly [value: T, words: string, meaning?: string])[];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid gap-x-4 gap-y-1 sm:grid-cols-[120px_minmax(0,1fr)]">
      <legend className="float-left font-medium sm:w-[120px]">{label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1 sm:col-start-2">
        {choices.map(([each, words, meaning]) => (
          <label key={each} className="flex min-h-6 items-center gap-2">
            <input
              type="radio"
              className="accent-accent"
              name={name}
              value={each}
              checked={value === each}
              onChange={() => onChange(each)}
            />
            <span>
              {words}
              {meaning !== undefined && <span className="text-ink-2"> ({meaning})</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
