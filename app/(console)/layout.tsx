import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Seed } from '@/components/live/live-provider';
import { FrameBoundary } from '@/components/shell/frame-boundary';
import { NAMESPACE_COOKIE, namespaceCookie, parsePreferences } from '@/components/shell/preference-cookies';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import { ClusterProvider } from '@/components/ui/cluster-provider';
import { systemClock } from '@/lib/clock/clock';
import { topics } from '@/lib/live/topic';
import { pageCluster, pageSession } from '@/server/auth/session';

export const dynamic = 'force-dynamic';

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = await pageSession();
  const clusterName = await pageCluster();
  const jar = await cookies();
  const preferences = parsePreferences(
    (name) => jar.get(name === NAMESPACE_COOKIE ? namespaceCookie(clusterName) : name)?.value,
    await session.firstNamespace(),
  );
  const { namespace } = preferences;
  const lists = [topics.instanceRows, topics.versionRows];
  const whole = await session.seed([topics.namespaces, ...lists]);
  const isRefused = whole.some((frame) => frame.type === 'problem' && frame.problem.status === 'forbidden');
  const part = isRefused && namespace ? await session.seed(lists.map((list) => ({ ...list, namespace }))) : [];
  const frames = [...whole, ...part];
  const account = session.hasSignIn ? (session.viewer ?? session.user).name : undefined;
  return (
    <ClusterProvider name={clusterName}>
      {account !== undefined && <meta name="bravo-account" content={account} />}
      <Providers preferences={preferences} nowMs={systemClock.now()} view={session.viewMark}>
        <Seed frames={frames}>
          <FrameBoundary>
            <Shell
              cluster={{ ...session.cluster, controller: session.controller }}
              account={account}
              viewed={session.viewer === undefined ? undefined : session.user}
              refusedView={session.refusedView}
            >
              {children}
            </Shell>
          </FrameBoundary>
        </Seed>
      </Providers>
    </ClusterProvider>
  );
}
