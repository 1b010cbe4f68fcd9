import { LinkButton } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { problemWords } from './problem-words';
import { SignInFrame } from './sign-in-frame';
import { TokenForm } from './token-form';

interface SignInFacts {
  readonly mode: 'token' | 'oidc' | 'proxy';
  readonly cluster: { readonly name: string; readonly server: string; readonly isSandbox: boolean };
  readonly provider: string | undefined;
}

/** The way in. `to` is a path of this console; `problem` is the name of what went wrong at the provider. */
export function SignInPage({ facts, to, problem }: { facts: SignInFacts; to: string; problem: string | undefined }) {
  const { cluster, mode, provider } = facts;
  return (
    <SignInFrame
      title="Sign in"
      note={
        <>
          to the cluster <span className="font-medium text-ink">{cluster.name}</span>, {cluster.server}
        </>
      }
    >
      {problem !== undefined && (
        <Notice tone="fail" alert title="You are not signed in">
          {problemWords(problem)}
        </Notice>
      )}
      {mode === 'token' && <TokenForm to={to} isSandbox={cluster.isSandbox} />}
      {mode === 'oidc' && (
        <LinkButton variant="primary" prefetch={false} href={`/api/auth/oidc/start?to=${encodeURIComponent(to)}`}>
          Sign in with {provider}
        </LinkButton>
      )}
      {mode === 'proxy' && (
        <Notice tone="hold" title="This console is behind an authenticating proxy">
          The request did not come through the proxy, or the proxy did not say who you are. Open the console by its
          public address, and ask who runs it if that does not help.
        </Notice>
      )}
    </SignInFrame>
  );
}
