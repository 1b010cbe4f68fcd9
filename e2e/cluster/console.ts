import { isJsonObject } from '@/lib/json/json';
import { freePort, type Running, startNode, temporaryFolder } from '@/test/programs/process';
import { Skipped } from './report';

export interface StartedConsole {
  readonly base: string;
  readonly running: Running;
}

const READY_WITHIN_MS = 300_000;

/** A console on this machine with the account of a kubeconfig, where people sign in with a token. */
export async function startConsole(kubeconfig: string): Promise<StartedConsole> {
  const port = String(await freePort());
  const running = startNode(['scripts/start.mjs'], {
    PORT: port,
    KUBECONFIG: kubeconfig,
    BRAVO_AUTH: 'token',
    BRAVO_CONTROLLER: 'off',
    BRAVO_METRICS_PORT: 'off',
    BRAVO_DATA: temporaryFolder('e2e-cluster-console'),
  });
  await running.printed('Bravo is ready', READY_WITHIN_MS);
  return { base: `http://127.0.0.1:${port}`, running };
}

/**
 * Signs in with a token. @returns the cookies of the session
 * @throws Skipped where the console has no sign-in with a token
 */
export async function signIn({ base }: StartedConsole, token: string): Promise<string> {
  const answer = await fetch(`${base}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ token }),
  });
  if (answer.status === 404) throw new Skipped('this console has no sign-in with a token');
  if (answer.status !== 200) throw new Error(`the console answers ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/** Who the console says is signed in with these cookies; undefined for nobody. */
export async function userOf({ base }: StartedConsole, cookies: string): Promise<string | undefined> {
  const answer = await fetch(`${base}/api/auth/me`, { headers: { cookie: cookies } });
  const found: unknown = await answer.json();
  return isJsonObject(found) && typeof found.user === 'string' ? found.user : undefined;
}

/** The status of a request to the Kubernetes API through the console. */
export async function statusOf({ base }: StartedConsole, cookies: string, path: string): Promise<number> {
  const { status, body } = await fetch(`${base}/api/kube${path}`, { headers: { cookie: cookies } });
  await body?.cancel();
  return status;
}
