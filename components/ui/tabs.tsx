'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names';
import { Link } from './link';
import { usePathname } from './navigation';

export interface Tab {
  label: ReactNode;
  href: string;
}

/** Tabs that are links. The first is current only at its exact address, the others also at addresses below theirs. */
export function LinkTabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const here = decodePath(usePathname());
  const list = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab became current
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current == null || list.current === null) return;
    list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.clientWidth) / 2;
  }, [here]);
  return (
    <nav ref={list} aria-label={label} className="no-bar relative flex gap-1 overflow-x-auto border-b">
      {tabs.map((tab, index) => {
        const target = decodePath(tab.href);
        const current = here === target || (index > 0 && here.startsWith(`${target}/`));
        return (
          <Link
            key={tab.href}
            href={tab.href}
            aria-current={current ? 'page' : undefined}
            className={classNames(
              '-mb-px whitespace-nowrap border-b-2 px-3 py-[9px] font-medium hover:text-ink focus-visible:-outline-offset-2',
              current ? 'border-accent text-ink' : 'border-transparent text-ink-2',
            )}
          >
            {tab.label}
          </Link>
        );
      })}
    </nav>
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
