import { useEffect, useState } from 'react';

/**
 * The text of a field whose value comes back late: one that is kept in the address follows in a transition. A field that shows the value
 * itself would be set back to an older one after each key, and lose what is typed meanwhile. So the field shows what was typed in it until
 * the person leaves it, or goes back in the history.
 */
export function useTypedText(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState<string>();
  const leave = () => setTyped(undefined);
  useEffect(() => {
    const forget = () => setTyped(undefined);
    window.addEventListener('popstate', forget);
    return () => window.removeEventListener('popstate', forget);
  }, []);
  const type = (text: string) => {
    setTyped(text);
    onChange(text);
  };
  return { text: typed ?? value, type, leave };
}
