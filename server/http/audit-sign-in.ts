import type { AuditedAction } from '@/lib/audit/audit-entry';
import { type AuditedPerson, auditAction } from './audit-request';
import { problemOf } from './problem';
import type { AnonymousContext } from './route';

/** How a sign-in or sign-out ended. */
interface Ended {
  readonly person?: AuditedPerson;
  /** Why nobody was signed in: one word. */
  readonly failure?: string;
}

const NOBODY: AuditedPerson = { name: '', groups: [] };

/** Signs somebody in, and writes into the audit log who it was, or that it was refused. */
export function auditSignIn<T extends Ended>(
  context: AnonymousContext,
  way: 'token' | 'oidc',
  run: () => Promise<T>,
): Promise<T> {
  const words = way === 'token' ? 'with a token' : 'with the OIDC provider';
  return audited(context, actionOf('sign-in', `signed in ${words}`), run);
}

/** Signs somebody out. Who has no session any more leaves no entry. */
export function auditSignOut<T extends Ended>(
  context: AnonymousContext,
  where: 'here' | 'everywhere',
  run: () => Promise<T>,
): Promise<T> {
  return audited(context, actionOf('sign-out', where === 'here' ? 'signed out' : 'signed out everywhere'), run);
}

/** Of server/auth/oidc, and `cluster`: the API server does not take the token. */
const REASON_OF_FAILURE: { readonly [failure: string]: string } = {
  cluster: 'RefusedByCluster',
  denied: 'DeniedByProvider',
  expired: 'SignInExpired',
  provider: 'ProviderFailed',
};

function actionOf(verb: 'sign-in' | 'sign-out', summary: string): AuditedAction {
  const nothing = { group: '', version: '', namespace: '', name: '', subresource: '' };
  return { verb, object: { ...nothing, resource: 'sessions' }, summary };
}

async function audited<T extends Ended>(
  context: AnonymousContext,
  action: AuditedAction,
  run: () => Promise<T>,
): Promise<T> {
  const write = auditAction(context, action);
  try {
    const ended = await run();
    if (ended.person !== undefined) write(ended.person, { status: 200 });
    else if (ended.failure !== undefined) write(NOBODY, { status: 401, reason: REASON_OF_FAILURE[ended.failure] });
    return ended;
  } catch (error) {
    const problem = problemOf(error);
    write(NOBODY, { status: problem?.status ?? 500, reason: problem?.reason });
    throw error;
  }
}
