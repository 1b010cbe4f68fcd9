import { useState } from 'react';

interface TypedText {
  /** What the field shows. */
  readonly text: string;
  /** The value as it was at the last look. */
  readonly seen: string;
  /** What was reported and has not come back as the value, in order. */
  readonly pending: readonly string[];
}

/**
 * The text of a field whose value comes back late: one that is kept in the address follows in a transition. A field that shows the value
 * itself would be set back to the old one after each key, and lose what is typed meanwhile.
 */
export function useTypedText(value: string, onChange: (value: string) => void) {
  const [own, setOwn] = useState<TypedText>({ text: value, seen: value, pending: [] });
  const now = own.seen === value ? own : afterValue(own, value);
  if (now !== own) setOwn(now);
  return {
    text: now.text,
    type(text: string) {
      setOwn((before) => ({ ...before, text, pending: [...before.pending, text] }));
      onChange(text);
    },
    /** The person has left the field: what comes now is not theirs. */
    leave: () => setOwn((before) => ({ ...before, pending: [] })),
  };
}

/** A value that was reported from here changes nothing: the person may have typed on. Any other comes from elsewhere and is shown. */
export function afterValue(own: TypedText, value: string): TypedText {
  const at = own.pending.lastIndexOf(value);
  return at < 0
    ? { text: value, seen: value, pending: [] }
    : { text: own.text, seen: value, pending: own.pending.slice(at + 1) };
}
