'use client';

import {
  Activity,
  Boxes,
  CalendarClock,
  Gauge,
  Hammer,
  History,
  House,
  KeyRound,
  LayoutGrid,
  List,
  PackagePlus,
  ScrollText,
  Warehouse,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { classNames } from '@/components/ui/class-names';
import { Link } from '@/components/ui/link';
import { usePathname } from '@/components/ui/navigation';

const entries = [
  { href: '/', label: 'Overview', icon: House },
  { href: '/instances', label: 'Instances', icon: List },
  { href: '/runs', label: 'Runs', icon: History },
  { href: '/schedules', label: 'Schedules', icon: CalendarClock },
  { href: '/operators', label: 'Operators', icon: Boxes },
  { href: '/install', label: 'Install', icon: PackagePlus },
  { href: '/workshop', label: 'Workshop', icon: Hammer, isWideOnly: true },
  { href: '/resources', label: 'Resources', icon: LayoutGrid },
  { href: '/repositories', label: 'Repositories', icon: Warehouse, isWideOnly: true },
  { href: '/activity', label: 'Activity', icon: ScrollText, isWideOnly: true },
  { href: '/usage', label: 'Usage', icon: Gauge, isWideOnly: true },
  { href: '/roles', label: 'Roles', icon: KeyRound, isWideOnly: true },
  { href: '/status', label: 'Status', icon: Activity, isWideOnly: true },
] as const;

/**
 * The main navigation: a column on wide screens, a row on narrow ones, where each icon is above its word; below 350 px only
 * the current entry has its word, so that all fit 320 px. With larger text the row scrolls, and begins at the current entry.
 */
export function Nav() {
  const path = usePathname();
  const { rows, total = 0 } = useInstanceRows();
  const failed = rows.filter((row) => row.state.key === 'FATAL_ERROR').length;
  const row = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry became current
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (current == null || row.current === null) return;
    row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.clientWidth) / 2;
  }, [path]);
  return (
    <nav
      ref={row}
      aria-label="Main"
      className="no-bar relative flex print:hidden gap-0.5 overflow-x-auto border-b bg-surface px-1.5 py-1 sm:px-2 sm:py-1.5 md:sticky md:top-12 md:h-[calc(100dvh-48px)] md:flex-col md:border-e md:border-b-0 md:py-3"
    >
      {entries.map(({ href, label, icon: Icon, ...entry }) => {
        const current = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? 'page' : undefined}
            className={classNames(
              'flex shrink-0 items-center rounded-md font-medium focus-visible:-outline-offset-2',
              'min-h-11 flex-col justify-center gap-0.5 px-0.5 text-2xs max-[389px]:text-[10px] max-[389px]:tracking-tight max-sm:flex-1 max-sm:whitespace-nowrap',
              'sm:h-[34px] sm:min-h-0 sm:flex-row sm:justify-start sm:gap-2.5 sm:px-2.5 sm:text-base',
              // The row of a narrow screen is full; there the page is found by the palette and on the page Help.
              'isWideOnly' in entry && 'max-md:hidden',
              current ? 'bg-accent-soft text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
            )}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className={classNames(!current && 'max-[349px]:sr-only')}>{label}</span>
            {href === '/' && failed > 0 && (
              <span className="ms-auto hidden font-semibold text-2xs text-fail md:inline">{failed} failed</span>
            )}
            {href === '/instances' && total > 0 && (
              <span className="ms-auto hidden text-2xs text-ink-3 md:inline">{total}</span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
