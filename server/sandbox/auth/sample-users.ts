import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@/lib/random/random';
import type { UserInfo } from '../rbac/user';
import { writeSecretFile } from '../tls/secrets';

/** The people of a sandbox that is made for trying sign-in. What they may do is bound to their names. */
const SAMPLE_USERS = ['admin', 'dev', 'viewer'] as const;

/** Their tokens: `users/NAME.token` in the data folder, readable by its owner alone, made at the first start. */
export function loadSampleUsers(dataDir: string, random: Random): Map<string, UserInfo> {
  const folder = join(dataDir, 'users');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Map(
    SAMPLE_USERS.map((name) => {
      const path = join(folder, `${name}.token`);
      if (!existsSync(path)) writeSecretFile(path, `${Buffer.from(random.bytes(32)).toString('base64url')}\n`);
      chmodSync(path, 0o600);
      return [readFileSync(path, 'utf8').trim(), { name, uid: '', groups: ['bravo:sample-users'], extra: {} }];
    }),
  );
}
