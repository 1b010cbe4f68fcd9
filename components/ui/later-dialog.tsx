'use client';

import { type ComponentType, lazy, Suspense, useState } from 'react';

/** A dialog whose scripts are loaded when it is first opened. @param load a dynamic import */
export function laterDialog<P extends { open: boolean }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Dialog = lazy(() => load().then((component) => ({ default: component as ComponentType<object> })));
  return function LaterDialog(props: P) {
    const [wasOpened, setWasOpened] = useState(false);
    if (props.open && !wasOpened) setWasOpened(true);
    return wasOpened || props.open ? (
      <Suspense fallback={null}>
        <Dialog {...props} />
      </Suspense>
    ) : null;
  };
}
