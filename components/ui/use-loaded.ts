import { useEffect, useState } from 'react';

/**
 * A part of the scripts that a page does not need to be shown, loaded once it is; undefined until then.
 *
 * @param load a dynamic import, defined outside of the component
 */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<{ readonly part: T }>();
  useEffect(() => {
    let isWanted = true;
    load().then(
      (part) => isWanted && setLoaded({ part }),
      // The server is gone or has another version; the banner of the connection says so.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [load]);
  return loaded?.part;
}
