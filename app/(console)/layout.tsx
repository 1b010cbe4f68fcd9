import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Seed } from '@/components/live/live-provider';
import { parsePreferences } from '@/components/shell/preference-cookies';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import { systemClock } from '@/lib/clock/clock';
import { topics } from '@/lib/live/topic';
import { pageSession } from '@/server/auth/session';

export const dynamic = 'force-dynamic';

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const session = pageSession();
  const jar = await cookies();
  const frames = await session.seed([topics.namespaces, topics.instanceRows, topics.versionRows]);
  return (
    <Providers preferences={parsePreferences((name) => jar.get(name)?.value)} nowMs={systemClock.now()}>
      <Seed frames={frames}>
        <Shell cluster={{ ...session.cluster, controller: session.controller }}>{children}</Shell>
      </Seed>
    </Providers>
  );
}
