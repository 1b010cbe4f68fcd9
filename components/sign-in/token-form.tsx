'use client';

import { type FormEvent, useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { withBasePath } from '@/components/ui/base-path';
import { Button } from '@/components/ui/button';
import { Code } from '@/components/ui/code';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Takes a bearer token. It is sent in the body of one request, and kept by this page only until then. */
export function TokenForm({ to, isSandbox }: { to: string; isSandbox: boolean }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const answer = await request<{ to: string }>('/api/auth/token', { method: 'POST', body: { token, to } });
      window.location.assign(withBasePath(answer.to));
    } catch (error) {
      setProblem(error instanceof RequestError ? error.message : 'The sign-in failed. Try again.');
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-4" aria-label="Sign in with a token">
      <Field
        label="Token"
        error={problem}
        hint={
          <>
            A bearer token of the cluster, such as <Code>kubectl create token NAME</Code> prints for a ServiceAccount.
            {isSandbox && ' For the sandbox, the terminal says where the tokens of admin, dev and viewer are.'}
          </>
        }
      >
        {(wiring) => (
          <Input
            {...wiring}
            mono
            type="password"
            name="token"
            autoComplete="off"
            spellCheck={false}
            value={token}
            onChange={(event) => setToken(event.target.value)}
            autoFocus
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
}
