import type { AuditedAction } from '@/lib/audit/audit-entry';
import { accessTo, missingRight } from '@/lib/kube/access';
import { limits } from '@/lib/limits/limits';
import { topics } from '@/lib/live/topic';
import { CHANNELS, channelFrame, type TerminalNotice } from '@/lib/terminal/channels';
import { formatCommand, type TerminalTarget } from '@/lib/terminal/target';
import { askAccess } from '@/server/auth/access-reviews';
import { type RequestSession, viewerKey } from '@/server/auth/person-of-request';
import type { FoundSession } from '@/server/auth/sign-in';
import type { TerminalSettings } from '@/server/config/terminals';
import { auditAction } from '@/server/http/audit-request';
import { problemOf } from '@/server/http/problem';
import type { ChannelSocket } from '@/server/kube/transport';
import { runtime } from '@/server/runtime/runtime';
import type { OpenTerminals } from './open-terminals';
import { recordTerminal } from './recording';
import { Terminal, type TerminalClient, type TerminalClosing } from './terminal';

export interface AskedTerminal {
  /** Names the terminal in the log, in the audit log and among the recordings. */
  readonly id: string;
  readonly client: TerminalClient;
  readonly target: TerminalTarget;
  readonly session: RequestSession;
  /** The session that the person signed in with; undefined when nobody signs in. */
  readonly found: FoundSession | undefined;
  readonly headers: Pick<Headers, 'get'>;
  readonly open: OpenTerminals;
  readonly settings: TerminalSettings;
}

/**
 * From the upgrade to the end of a terminal. Its beginning and its end are in the audit log, with who, where and which command; what is typed
 * is not. Whatever is refused is said on the status channel, as the API server does, and the connection is closed.
 */
export async function serveTerminal(asked: AskedTerminal): Promise<void> {
  const { client, session, open } = asked;
  const audit = auditOf(asked);
  const gone = new AbortController();
  client.onClose(() => gone.abort());
  const taken = open.take(viewerKey(session));
  if ('refusal' in taken) return refuse(client, audit, taken.refusal);
  try {
    const refusal = whyNotInView(session) ?? (await whyNotAllowed(asked));
    if (refusal !== undefined) return refuse(client, audit, refusal);
    const container = await openContainer(asked, gone.signal);
    if ('status' in container) return refuse(client, audit, container);
    await run(asked, container, taken.place, audit);
  } finally {
    open.leave(taken.place);
  }
}

async function run(asked: AskedTerminal, container: ChannelSocket, place: symbol, audit: Audit): Promise<void> {
  const { client, open, settings, session, target, id } = asked;
  const { clock, log } = runtime();
  const { recordingsFolder: folder } = settings;
  const person = session.user.name;
  const recorder = folder === undefined ? undefined : recordTerminal({ folder, id, person, target, clock, log });
  const terminal = new Terminal({ client, container, clock, recorder, check: checkOf(asked) });
  open.opened(place, terminal);
  audit('opened a terminal', 101);
  const notice: TerminalNotice = { isRecorded: recorder !== undefined, idleMs: limits.terminal.idleMs };
  void client.send(channelFrame(CHANNELS.notice, Buffer.from(JSON.stringify(notice))));
  const { exitCode, message } = await terminal.run();
  const how = exitCode === undefined ? message.replace(/\.$/, '') : `exit code ${exitCode}`;
  audit(`closed a terminal${how === '' ? '' : ` (${how})`}`, 200);
}

/** Writes an entry of the audit log about this terminal. */
type Audit = (what: string, status: number, reason?: string) => void;

function auditOf({ target, session, headers, id }: AskedTerminal): Audit {
  const { namespace, pod, container, command } = target;
  const object = { group: '', version: 'v1', resource: 'pods', namespace, name: pod, subresource: 'exec' };
  const summaryOf = (what: string) => `${what} in container ${container}: ${formatCommand(command)}`;
  const action: AuditedAction = { verb: 'exec', object, summary: '' };
  const write = auditAction({ request: { headers }, id }, action, session.cluster);
  const person = session.viewer?.user ?? session.user;
  return (what, status, reason) => write(person, { status, reason, summary: summaryOf(what) });
}

function refuse(client: TerminalClient, audit: Audit, { status, reason, message }: TerminalClosing): void {
  audit('opened a terminal', status, reason);
  const said = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, code: status };
  void client.send(channelFrame(CHANNELS.status, Buffer.from(JSON.stringify(said))));
  client.close(4_000 + status, reason);
}

/** Who sees the console as somebody else changes nothing. */
function whyNotInView({ viewer, refusedView, user }: RequestSession): TerminalClosing | undefined {
  if (viewer === undefined && refusedView === undefined) return undefined;
  const name = refusedView?.person.name ?? user.name;
  const message = `You see the console as ${name}, and open no terminal. Stop viewing as ${name} first.`;
  return { status: 403, reason: 'ViewAs', message };
}

/** The person's right, asked now. While nobody can say it, no terminal is opened. */
async function whyNotAllowed({ session, target }: AskedTerminal): Promise<TerminalClosing | undefined> {
  const question = accessTo('create', EXEC, target.namespace);
  try {
    const { allowed } = await askAccess(session.api, runtime().clock, question);
    return allowed ? undefined : { status: 403, reason: 'Forbidden', message: missingRight(question) };
  } catch (error) {
    return closingOf(error);
  }
}

const EXEC = { group: '', resource: 'pods/exec' };

async function openContainer(
  { session, target }: AskedTerminal,
  signal: AbortSignal,
): Promise<ChannelSocket | TerminalClosing> {
  const { namespace, pod, container, command } = target;
  try {
    return await session.api.openTerminal({ ...topics.pods(namespace), name: pod }, { container, command, signal });
  } catch (error) {
    return closingOf(error);
  }
}

function closingOf(error: unknown): TerminalClosing {
  const problem = problemOf(error);
  if (problem !== undefined) return problem;
  runtime().log.error('terminal.bug', { error: String(error) });
  return { status: 500, reason: 'InternalError', message: 'The console failed.' };
}

/** Session and right are checked again while the terminal is open. */
function checkOf({ found, session, target }: AskedTerminal) {
  const { signIn, clock } = runtime();
  const question = accessTo('create', EXEC, target.namespace);
  let askedMs = clock.monotonic();
  return async (usedMs: number): Promise<TerminalClosing | undefined> => {
    const claims = found?.claims;
    // What is typed keeps the session of the terminal alive, as requests do.
    const now = claims === undefined ? undefined : { ...claims, seenMs: Math.max(claims.seenMs, usedMs) };
    if (now !== undefined && (await signIn?.sessions.hasEnded(now)) === true) {
      return { status: 401, reason: 'SignInNeeded', message: 'Your session has ended. Sign in again.' };
    }
    if (clock.monotonic() - askedMs < limits.terminal.rightCheckMs) return undefined;
    askedMs = clock.monotonic();
    const { allowed } = await askAccess(session.api, clock, question);
    return allowed ? undefined : { status: 403, reason: 'Forbidden', message: missingRight(question) };
  };
}
