import type { ReactNode } from 'react';

/** Nothing to show: why, and the next thing to do. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <p className="font-semibold text-md">{title}</p>
      {children !== undefined && <div className="max-w-[46ch] text-balance text-ink-2">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
