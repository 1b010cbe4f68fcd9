import type { ReactNode } from 'react';
import { ClusterSwitcher } from '@/components/clusters/cluster-switcher';
import { RefusedBanner } from '@/components/clusters/refused-banner';
import { HelpPanel } from '@/components/help/help-panel';
import { LaterAccountMenu } from '@/components/sign-in/later-account-menu';
import { Link } from '@/components/ui/link';
import { ClusterChip, type ShellCluster } from './cluster-chip';
import { ConnectionBanner } from './connection-banner';
import { ConnectionState } from './connection-state';
import { ControllerBanner } from './controller-banner';
import { Later } from './later';
import { LazyRefusedViewBanner, LazyViewAsBanner } from './lazy-view-banners';
import { NamespaceScope } from './namespace-scope';
import { Nav } from './nav';
import { NotifyMenu } from './notify-menu';
import { Palette } from './palette';
import { ThemeMenu } from './theme-menu';
import type { RefusedViewFacts } from './view-as-banner';
import { ViewGuard } from './view-guard';

/** The frame of every page: brand, bar, navigation, content. */
export function Shell({
  cluster,
  account,
  viewed,
  refusedView,
  children,
}: {
  cluster: ShellCluster;
  /** The name of who has signed in; undefined where nobody signs in. */
  account: string | undefined;
  /** As whom the person sees the console; undefined when as themselves. */
  viewed: { readonly name: string; readonly groups: readonly string[] } | undefined;
  /** A view that does not show this cluster; undefined without one. */
  refusedView: RefusedViewFacts | undefined;
  children: ReactNode;
}) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-b-md bg-accent px-4 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-0 focus:left-4"
      >
        Skip to content
      </a>
      <div className="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[212px_minmax(0,1fr)] print:block">
        <header className="contents print:hidden">
          <div className="flex h-12 items-center border-b bg-surface px-4 max-md:hidden md:sticky md:top-0 md:z-30 md:border-e">
            <Brand />
          </div>
          <div className="sticky top-0 z-30 flex h-12 min-w-0 items-center gap-2 border-b bg-surface px-4 md:gap-3 md:px-6">
            <span className="max-sm:hidden md:hidden">
              <Brand mark />
            </span>
            <ClusterSwitcher title={cluster.context} single={<ClusterChip cluster={cluster} />} />
            <NamespaceScope />
            <Palette />
            <span className="ms-auto flex items-center gap-2">
              <ConnectionState />
              <HelpPanel />
              <NotifyMenu />
              <ThemeMenu />
              {account !== undefined && <LaterAccountMenu user={account} />}
            </span>
          </div>
        </header>
        <Nav />
        <div className="min-w-0">
          <ViewGuard />
          {viewed !== undefined && <LazyViewAsBanner user={viewed.name} groups={viewed.groups} />}
          {refusedView !== undefined && <LazyRefusedViewBanner view={refusedView} />}
          {refusedView === undefined && <RefusedBanner />}
          <ConnectionBanner />
          <ControllerBanner initial={cluster.controller} />
          <main id="main" tabIndex={-1} className="p-4 outline-none md:p-6 [&>*]:max-w-[1280px]">
            {children}
          </main>
        </div>
      </div>
      <Later account={account} />
    </>
  );
}

function Brand({ mark = false }: { mark?: boolean }) {
  return (
    <Link href="/" className="flex items-center gap-2.5 font-semibold text-md tracking-[-0.01em]">
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" className="fill-brand">
        <path d="M3 3h14l-3.6 7L17 17H3z" />
      </svg>
      <span className={mark ? 'sr-only' : undefined}>Bravo</span>
    </Link>
  );
}
