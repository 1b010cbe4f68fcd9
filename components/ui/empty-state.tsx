import type { ReactNode } from 'react';
import { Link } from './link';

/** An empty list or page: why it is empty, what to do next, and where the guide explains it. */
export function EmptyState({
  title,
  children,
  action,
  heading = false,
  guide,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Makes the title the page's h1, where nothing else is. */
  heading?: boolean;
  /** A page of the guide. */
  guide?: string;
}) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <Title className="font-semibold text-md">{title}</Title>
      {children !== undefined && <div className="max-w-[46ch] text-balance text-ink-2">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
      {guide !== undefined && (
        <p className="mt-1 text-ink-2 text-xs">
          <Link href={`/help/${guide}`} className="link text-accent underline">
            Read about it in the guide
          </Link>
        </p>
      )}
    </div>
  );
}
