import type { SendOptions } from './send-documents';

interface SendOptionBoxesProps {
  readonly options: SendOptions;
  /** The text has several documents. */
  readonly isSeveral: boolean;
  readonly onChange: (changed: Partial<SendOptions>) => void;
}

/** How the documents are sent: over objects that exist, and after a failure. */
export function SendOptionBoxes({ options, isSeveral, onChange }: SendOptionBoxesProps) {
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={options.how === 'apply'}
          onChange={({ target }) => onChange({ how: target.checked ? 'apply' : 'create' })}
        />
        Change objects that exist
      </label>
      {isSeveral && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={options.goesOn}
            onChange={({ target }) => onChange({ goesOn: target.checked })}
          />
          Go on after a failure
        </label>
      )}
    </span>
  );
}
