'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Content that scrolls when it does not fit, by keyboard too: only then is the box a stop of the Tab key. `labelledBy` is the id of its title. */
export function ScrollBox({
  labelledBy,
  className,
  children,
}: {
  labelledBy: string;
  className: string;
  children: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = () => setScrolls(element.scrollHeight > element.clientHeight);
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) observer.observe(each);
    measure();
    return () => observer.disconnect();
  });
  return (
    <section
      ref={box}
      aria-labelledby={scrolls ? labelledBy : undefined}
      tabIndex={scrolls ? 0 : undefined}
      className={className}
    >
      {children}
    </section>
  );
}
