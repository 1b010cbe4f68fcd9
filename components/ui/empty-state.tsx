import type { ReactNode } from 'react';

/** An empty list or page: why it is empty, and what to do next. */
export function EmptyState({
  title,
  children,
  action,
  heading = false,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Makes the title the page's h1, where nothing else is. */
  heading?: boolean;
}) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <Title className="font-semibold text-md">{title}</Title>
      {children !== undefined && <div className="max-w-[46ch] text-balance text-ink-2">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
