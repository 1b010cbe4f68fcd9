'use client';

import { type FormEvent, useRef, useState } from 'react';
import { RequestError, request } from '@/components/live/request';
import { withBasePath } from '@/components/ui/base-path';
import { Button } from '@/components/ui/button';
import { Code } from '@/components/ui/code';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { useHydrated } from '@/components/ui/use-hydrated';

/**
 * Takes a bearer token. It is sent in the body of one request, and kept by this page only until then.
 *
 * Until this script runs, the browser itself would send the form, with the token in the address: so the field has no name, and the button
 * is off. The field belongs to the browser and not to React, so that a token that is pasted before stays.
 */
export function TokenForm({ to, isSandbox }: { to: string; isSandbox: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    const token = field.current?.value ?? '';
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
          <Input {...wiring} ref={field} mono type="password" autoComplete="off" spellCheck={false} autoFocus />
        )}
      </Field>
      <fieldset disabled={!isHydrated} className="contents">
        <Button type="submit" variant="primary" busy={busy}>
          Sign in
        </Button>
      </fieldset>
    </form>
  );
}
