import { Select } from './input';

/** A list of values of which one filters a table; the empty value is all. */
export function FilterChoice({
  label,
  all,
  value,
  values,
  onChange,
}: {
  label: string;
  all: string;
  value: string;
  /** Each with its words. */
  values: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      className="!w-auto max-w-[180px]"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {values.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </Select>
  );
}
