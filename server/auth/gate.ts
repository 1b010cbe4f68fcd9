import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { type Random, randomUuid } from '@/lib/random/random';
import { routeHeaders, SESSION_HEADER, securityHeaders } from '@/server/http/headers';
import { problemOf } from '@/server/http/problem';
import type { Log } from '@/server/log/log';
import { needsNote } from './claims';
import { clientAddress } from './client-address';
import { SignInLimit } from './rate-limit';
import type { FoundSession, SignIn } from './sign-in';

/** What everybody may ask for: the way in, probes, and the files that pages are built of. */
const OPEN = /^\/(sign-in(\/|$)|api\/(auth|health|ready)(\/|$)|_next\/|fonts\/|icon\.svg$|favicon\.ico$)/;
/** Requests that the browser makes by itself, as long as a tab is open: they do not keep a session alive. */
const BACKGROUND = /^\/api\/(live|auth\/|clusters$)/;
/** Requests that try to sign in. */
const TRIES = /^\/api\/auth\/(token|oidc)(\/|$)/;
/** Open answers (streams) of a session that has ended are closed within this time. */
const SWEEP_MS = 10_000;

export interface GateOptions {
  readonly signIn: SignIn;
  /** The path below which the console is served; empty for the root. */
  readonly basePath: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * In front of routes and pages: finds the session of each request and hands it on under a header of our own, which nobody outside can
 * send. A request without a session gets 401, a page the way to the sign-in. Routes and pages look for the session themselves and
 * refuse without it: what the gate does not know is closed.
 */
export class Gate {
  private readonly open = new Map<string, { readonly found: FoundSession; readonly response: ServerResponse }>();
  private readonly limit: SignInLimit;
  private closed = false;

  constructor(private readonly options: GateOptions) {
    this.limit = new SignInLimit(options.clock);
    this.sweepLater();
  }

  /** True when the request may go on; else it has been answered. */
  async admit(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { basePath } = this.options;
    const path = pathOf(request, basePath);
    stripAuthority(request);
    try {
      if (TRIES.test(path) && this.isTooOften(request, response)) return false;
      // The way in works without a session; what a proxy says counts there too, and is taken away from every request.
      const isOpen = OPEN.test(path);
      if (isOpen && this.options.signIn.mode !== 'proxy') return true;
      const found = await this.options.signIn.readRequest(request);
      if (found === undefined && isOpen) return true;
      if (found === undefined) {
        refuse(request, response, path, basePath);
        return false;
      }
      await this.noteSeen(found, path, response);
      this.handOn(found, request, response);
      return true;
    } catch (error) {
      this.fail(error, response);
      return false;
    }
  }

  /** The session of a connection that asks to be upgraded, handed on until it is closed; undefined when there is none. Who upgrades it ends it with the session. */
  async admitUpgrade(request: IncomingMessage, connection: Duplex): Promise<FoundSession | undefined> {
    stripAuthority(request);
    const { signIn, random } = this.options;
    const found = await signIn.readRequest(request);
    if (found === undefined) return undefined;
    const id = randomUuid(random);
    request.headers[SESSION_HEADER] = id;
    signIn.current.set(id, found);
    connection.once('close', () => signIn.current.delete(id));
    return found;
  }

  close(): void {
    this.closed = true;
  }

  private handOn(found: FoundSession, request: IncomingMessage, response: ServerResponse): void {
    const id = randomUuid(this.options.random);
    request.headers[SESSION_HEADER] = id;
    this.options.signIn.current.set(id, found);
    this.open.set(id, { found, response });
    response.once('close', () => {
      this.options.signIn.current.delete(id);
      this.open.delete(id);
    });
  }

  /** Writes the cookie again when its tokens were renewed, or its time of the last request is old. */
  private async noteSeen({ claims, setCookie }: FoundSession, path: string, response: ServerResponse): Promise<void> {
    const { signIn, clock } = this.options;
    const isNoted =
      claims !== undefined && !BACKGROUND.test(path) && needsNote(claims, clock.now(), signIn.sessions.settings);
    const written = isNoted ? await signIn.sessions.write({ ...claims, seenMs: clock.now() }) : setCookie;
    if (written.length > 0) response.setHeader('set-cookie', written);
  }

  private isTooOften(request: IncomingMessage, response: ServerResponse): boolean {
    const waitMs = this.limit.waitMs(clientAddress(request, this.options.signIn.trustedProxies));
    if (waitMs === undefined) return false;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    response.setHeader('retry-after', String(seconds));
    const message = `Too many sign-ins. Try again in ${seconds} s.`;
    sendProblem(response, { status: 429, reason: 'TooManyRequests', message });
    return true;
  }

  private fail(error: unknown, response: ServerResponse): void {
    const problem = problemOf(error);
    if (problem === undefined) this.options.log.error('sign-in.bug', { error: messageOf(error) });
    sendProblem(response, problem ?? { status: 500, reason: 'InternalError', message: 'The console failed.' });
  }

  private sweepLater(): void {
    this.options.clock.after(SWEEP_MS, () => {
      if (this.closed) return;
      void this.sweep().finally(() => this.sweepLater());
    });
  }

  /** Ends streams whose session has ended; the browser asks again, and is told so. */
  private async sweep(): Promise<void> {
    for (const { found, response } of [...this.open.values()]) {
      if (found.claims === undefined) continue;
      const hasEnded = await this.options.signIn.sessions.hasEnded(found.claims).catch(() => false);
      // With a renewed token the person may have other groups: the stream is opened anew with them.
      const isOld = this.options.clock.now() >= (found.claims.oidc?.idTokenEndsMs ?? Number.POSITIVE_INFINITY);
      if (hasEnded || isOld) response.destroy();
    }
  }
}

/** Nobody outside says in whose name a request is. */
function stripAuthority(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith('impersonate-')) delete request.headers[name];
  }
}

/** The path below the base path. */
function pathOf(request: IncomingMessage, basePath: string): string {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  return path.slice(basePath.length) || '/';
}

function refuse(request: IncomingMessage, response: ServerResponse, path: string, basePath: string): void {
  if (path.startsWith('/api/') || (request.method !== 'GET' && request.method !== 'HEAD')) {
    const message = 'Sign in to continue: there is no session, or it has ended.';
    sendProblem(response, { status: 401, reason: 'SignInNeeded', message });
    return;
  }
  // What Next adds to its own requests for a part of a page is not part of the address.
  const target = new URL(request.url ?? '/', 'http://console.invalid');
  target.searchParams.delete('_rsc');
  const to = encodeURIComponent(`${path}${target.search}`);
  const signIn = `${basePath}/sign-in`;
  const headers = { ...securityHeaders, 'cache-control': 'no-store' };
  response.writeHead(303, { ...headers, location: to === '%2F' ? signIn : `${signIn}?to=${to}` }).end();
}

interface Problem {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
}

function sendProblem(response: ServerResponse, { status, reason, message }: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...routeHeaders, 'content-type': 'application/problem+json' });
  response.end(JSON.stringify({ status, reason, message, causes: [] }));
}
