'use client';

import { Boxes, House, LayoutGrid, List, PackagePlus } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { classNames } from '@/components/ui/class-names';

const entries = [
  { href: '/', label: 'Overview', icon: House },
  { href: '/instances', label: 'Instances', icon: List },
  { href: '/operators', label: 'Operators', icon: Boxes },
  { href: '/install', label: 'Install', icon: PackagePlus },
  { href: '/resources', label: 'Resources', icon: LayoutGrid },
] as const;

/** The main navigation: a column on wide screens, a row on narrow ones. */
export function Nav() {
  const path = usePathname();
  const { rows } = useInstanceRows();
  const failed = rows.filter((row) => row.state.key === 'FATAL_ERROR').length;
  return (
    <nav
      aria-label="Main"
      className="no-bar flex gap-0.5 overflow-x-auto border-b bg-surface px-2 py-1.5 md:sticky md:top-12 md:h-[calc(100dvh-48px)] md:flex-col md:border-e md:border-b-0 md:py-3"
    >
      {entries.map(({ href, label, icon: Icon }) => {
        const current = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? 'page' : undefined}
            className={classNames(
              'flex h-[34px] shrink-0 items-center gap-2.5 rounded-md px-2.5 font-medium focus-visible:-outline-offset-2',
              current ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
            )}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            {label}
            {href === '/' && failed > 0 && (
              <span className="ms-auto hidden font-semibold text-2xs text-fail md:inline">{failed} failed</span>
            )}
            {href === '/instances' && rows.length > 0 && (
              <span className="ms-auto hidden text-2xs text-ink-3 md:inline">{rows.length}</span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
