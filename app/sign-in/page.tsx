import type { Metadata } from 'next';
import { SignInPage } from '@/components/sign-in/sign-in-page';
import { returnPath } from '@/lib/net/return-path';
import { signInPage } from '@/server/auth/session-sign-in';

export const metadata: Metadata = { title: 'Sign in' };
export const dynamic = 'force-dynamic';

export default async function SignInRoute({
  searchParams,
}: {
  searchParams: Promise<{ to?: string | string[]; problem?: string | string[] }>;
}) {
  const { to, problem } = await searchParams;
  return (
    <SignInPage
      facts={signInPage()}
      to={returnPath(typeof to === 'string' ? to : undefined)}
      problem={typeof problem === 'string' ? problem : undefined}
    />
  );
}
