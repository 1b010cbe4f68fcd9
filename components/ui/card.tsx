import { type HTMLAttributes, type ReactNode, useId } from 'react';
import { classNames } from './class-names';

interface CardProps {
  title?: ReactNode;
  /** Beside the title, quieter. */
  note?: ReactNode;
  /** At the end of the title row. */
  action?: ReactNode;
  children: ReactNode;
  /** Adds padding around the content; tables and trees have their own. */
  padded?: boolean;
  className?: string;
  /** Handlers for the mouse entering and leaving the card. */
  pointer?: Pick<HTMLAttributes<HTMLElement>, 'onPointerEnter' | 'onPointerLeave'>;
}

/** A surface with an optional title row; a named region when it has a title. */
export function Card({ title, note, action, children, padded = false, className, pointer }: CardProps) {
  const id = useId();
  return (
    <section
      className={classNames('card min-w-0 overflow-clip', className)}
      aria-labelledby={title ? id : undefined}
      {...pointer}
    >
      {title !== undefined && (
        <header className="flex min-h-[44px] flex-wrap items-center gap-x-2 border-b px-4 py-2">
          <h2 id={id} className="font-semibold text-sm">
            {title}
          </h2>
          {note !== undefined && <span className="text-ink-2">{note}</span>}
          {action !== undefined && <span className="ms-auto flex items-center gap-2 text-ink-2">{action}</span>}
        </header>
      )}
      <div className={padded ? 'p-4' : undefined}>{children}</div>
    </section>
  );
}
