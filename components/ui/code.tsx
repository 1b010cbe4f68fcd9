import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** A name or value inside a sentence. */
export function Code({ children, className }: { children: ReactNode; className?: string }) {
  return <code className={className}>{children}</code>;
}

/** A block of code or YAML that scrolls by itself. */
export function CodeBlock({ text, label, className }: { text: string; label: string; className?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={classNames('overflow-auto', className)}>
      <pre className="mono p-4 leading-[1.55]">{text}</pre>
    </section>
  );
}
