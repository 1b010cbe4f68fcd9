import type { Clock } from '@/lib/clock/clock';
import type { Random } from '@/lib/random/random';
import { CookieNames } from '@/server/auth/cookies';
import { Keyring } from '@/server/auth/keyring';
import { ImpersonationRights } from '@/server/auth/may-impersonate';
import { ViewAs } from '@/server/auth/view-as';
import type { SignInParts } from './start-sign-in';

const KEY_BYTES = 32;

/** With the keys of the sessions; where nobody signs in there is one process, whose key ends with it. */
export function startViewAs(signIn: SignInParts | undefined, clock: Clock, random: Random): ViewAs {
  const rights = new ImpersonationRights(clock);
  if (signIn !== undefined) return new ViewAs({ names: signIn.names, keyring: signIn.keyring, clock, rights });
  const key = { id: 'process', bytes: random.bytes(KEY_BYTES) };
  const keyring = new Keyring(clock, async () => ({ keys: [key] }));
  return new ViewAs({ names: new CookieNames(false), keyring, clock, rights });
}
