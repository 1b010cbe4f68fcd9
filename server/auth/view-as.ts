import type { IncomingMessage } from 'node:http';
import type { Clock } from '@/lib/clock/clock';
import { arrayAt, isJsonObject, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { VIEW_AS_HEADER } from '@/server/http/headers';
import { Refusal } from '@/server/http/problem';
import type { Person } from './claims';
import { type CookieNames, clearCookie, readCookie, writeCookie } from './cookies';
import type { Keyring } from './keyring';
import type { ImpersonationRights, ViewVerdict } from './may-impersonate';
import type { PersonInCluster } from './person-of-request';
import { keyIdOf, seal, unseal } from './seal';

/** As whom a person sees the console, and who that person is: the cookie counts for them alone. */
export interface ViewedAs {
  readonly person: Person;
  /** The identity of the person who looks. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly endsMs: number;
}

/** An answer that cookies are set with. */
interface CookieAnswer {
  appendHeader(name: string, values: readonly string[]): unknown;
}

/** It ends by itself: nobody should take another user's view for their own the next day. */
export const VIEW_AS_MS = 60 * 60_000;
const MOST_GROUPS = 50;
const LONGEST_NAME = 256;

export interface ViewAsOptions {
  readonly names: CookieNames;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly rights: ImpersonationRights;
}

/**
 * The sealed cookie that says as whom a person sees the console. It gives nobody a right: each request is sent with the person's own
 * authority and Impersonate headers, so that the API server decides about it (server/auth/session).
 */
export class ViewAs {
  constructor(private readonly options: ViewAsOptions) {}

  /** Puts what the cookie says into a header for our routes and pages, which nobody outside can send. It is no verdict: {@link verdict} is. */
  async admit(request: IncomingMessage, response: CookieAnswer): Promise<void> {
    const { names, keyring, clock } = this.options;
    const sealed = readCookie(request.headers.cookie, names.viewAs);
    if (sealed === undefined || sealed === '') return;
    const content = await unseal(sealed, 'view-as', await keyring.keysWith(keyIdOf(sealed)));
    if (content === undefined || clock.now() >= (numberAt(content, 'e') ?? 0)) {
      // A renewed session may be there already.
      response.appendHeader('set-cookie', clearCookie(names, names.viewAs));
      return;
    }
    request.headers[VIEW_AS_HEADER] = Buffer.from(JSON.stringify(content)).toString('base64url');
  }

  /** Whether a person may see one cluster as another user: at most 30 s old. */
  verdict(viewer: PersonInCluster, person: Person): Promise<ViewVerdict> {
    return this.options.rights.verdict(viewer, person);
  }

  /** The Set-Cookie headers that begin it. @throws Refusal 400 for names that are too many or too long */
  async begin(by: string, person: Person): Promise<string[]> {
    const { names, keyring, clock } = this.options;
    const content: JsonObject = { n: person.name, g: [...person.groups], b: by, e: clock.now() + VIEW_AS_MS };
    const sealed = await seal(content, 'view-as', await keyring.keys());
    const setCookie = writeCookie(names, names.viewAs, sealed, VIEW_AS_MS);
    if (setCookie !== undefined) return setCookie;
    throw new Refusal(400, 'BadRequest', 'These names do not fit into a cookie. Name fewer groups.');
  }

  /** The Set-Cookie headers that end it. */
  end(): string[] {
    return clearCookie(this.options.names, this.options.names.viewAs);
  }
}

/** What {@link ViewAs.admit} put into the header; undefined when the person sees the console as themselves. */
export function viewedAs(headers: Pick<Headers, 'get'>, by: string): ViewedAs | undefined {
  const text = headers.get(VIEW_AS_HEADER);
  if (text === null) return undefined;
  const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  const found: ViewedAs = {
    person: personOf(content),
    by: stringAt(content, 'b') ?? '',
    endsMs: numberAt(content, 'e') ?? 0,
  };
  // Somebody else signed in with this browser meanwhile.
  return found.by === by ? found : undefined;
}

function personOf(content: unknown): Person {
  const groups = arrayAt(content, 'g').filter((group): group is string => typeof group === 'string');
  return { name: stringAt(content, 'n') ?? '', groups };
}

/** Who is named in a request's body. @throws Refusal 400 */
export function readViewedPerson(body: unknown): Person {
  const name = isJsonObject(body) ? (stringAt(body, 'user') ?? '').trim() : '';
  const groups = arrayAt(body, 'groups').filter((group): group is string => typeof group === 'string' && group !== '');
  if (name === '')
    throw new Refusal(
      400,
      'BadRequest',
      'Say as whom: user is missing. Kubernetes impersonates groups together with a user.',
    );
  if (groups.length > MOST_GROUPS) throw new Refusal(400, 'BadRequest', `Name at most ${MOST_GROUPS} groups.`);
  const isNamed = [name, ...groups].every((each) => each.length <= LONGEST_NAME && !/\p{Cc}/u.test(each));
  if (!isNamed)
    throw new Refusal(
      400,
      'BadRequest',
      `A name is longer than ${LONGEST_NAME} characters, or has control characters.`,
    );
  return { name, groups };
}
