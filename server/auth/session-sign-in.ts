import { redirect } from 'next/navigation';
import { runtime } from '@/server/runtime/runtime';

/** What the sign-in page shows. */
export interface SignInPageFacts {
  readonly mode: 'token' | 'oidc' | 'proxy';
  readonly cluster: { readonly name: string; readonly server: string; readonly isSandbox: boolean };
  /** Who vouches for people, with BRAVO_AUTH=oidc. */
  readonly provider: string | undefined;
}

/** The facts of the sign-in page; where nobody signs in it leads to the console. */
export function signInPage(): SignInPageFacts {
  const { clusters, config } = runtime();
  const cluster = clusters.home.summary;
  const { auth } = config;
  if (auth.mode === 'kubeconfig') redirect('/');
  return {
    mode: auth.mode,
    cluster: {
      name: cluster.isSandbox ? 'sandbox' : cluster.context,
      server: cluster.server,
      isSandbox: cluster.isSandbox,
    },
    provider: auth.mode === 'oidc' ? new URL(auth.oidc.issuer).host : undefined,
  };
}
