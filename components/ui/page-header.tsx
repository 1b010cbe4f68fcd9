import { Fragment, type ReactNode } from 'react';
import { Link } from './link';

export interface Crumb {
  label: string;
  href?: string;
}

/** Breadcrumbs, the h1 of the page with a note beside it, and actions at the end. */
export function PageHeader({
  title,
  crumbs,
  note,
  actions,
  children,
}: {
  title: ReactNode;
  crumbs?: readonly Crumb[];
  note?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mb-4 grid gap-3">
      {crumbs !== undefined && (
        <nav aria-label="Breadcrumb" className="text-ink-3 text-xs">
          {crumbs.map((crumb, index) => (
            <Fragment key={`${crumb.label} ${crumb.href}`}>
              {index > 0 && <span aria-hidden="true"> / </span>}
              {crumb.href === undefined ? (
                <span>{crumb.label}</span>
              ) : (
                <Link className="link" href={crumb.href}>
                  {crumb.label}
                </Link>
              )}
            </Fragment>
          ))}
        </nav>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-[-0.02em]">{title}</h1>
        {note !== undefined && <span className="text-ink-2 max-sm:order-last max-sm:basis-full">{note}</span>}
        {actions !== undefined && <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
