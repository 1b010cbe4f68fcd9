import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Timer } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { credentialPlaces } from '@/lib/oci/docker-config';
import type { CredentialsFor, RegistryCredentials } from './authorizer';

export interface DockerCredentialsOptions {
  /** The folder of Docker's `config.json`: `DOCKER_CONFIG`, else `~/.docker`. */
  readonly folder: string;
  readonly clock: Clock;
  /** Environment of credential helpers. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The credentials that `docker login` has stored: in the file, or with a helper, which has ten seconds to answer.
 *
 * @returns a function that throws TerminalError `CredentialsUnreadable` when the file or the helper is broken
 */
export function dockerCredentials(options: DockerCredentialsOptions): CredentialsFor {
  const path = join(options.folder, 'config.json');
  return async (registry) => {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    if (found.size > limits.oci.credentialsFileBytes) throw unreadable(`${path} is larger than 1 MiB.`);
    const config = parseJsonObject(await readFile(path, 'utf8'));
    if (config === undefined)
      throw unreadable(`${path} is not a JSON object. Correct it, or run \`docker login\` again.`);
    const { helper, auth } = credentialPlaces(config, registry);
    const helped = helper === undefined ? undefined : await askHelper(helper, options);
    if (helped !== undefined || auth === undefined) return helped;
    return decodeAuth(auth, `${path} (auths, ${registry})`);
  };
}

/** Reads `auth` of an entry of `auths`. @throws TerminalError `CredentialsUnreadable` that names the place */
export function decodeAuth(auth: string, place: string): RegistryCredentials {
  const text = Buffer.from(auth, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw unreadable(`${place} does not hold USER:PASSWORD in base64.`);
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `docker-credential-NAME get` (docker/docker-credential-helpers): the server on standard input, JSON on standard output. */
async function askHelper(
  { name, server }: { name: string; server: string },
  { clock, env }: DockerCredentialsOptions,
): Promise<RegistryCredentials | undefined> {
  const program = `docker-credential-${name}`;
  const { code, out } = await run(program, server, { clock, env });
  if (code !== 0) {
    if (/credentials not found/i.test(out)) return undefined;
    throw unreadable(`${program} get ended with ${code} for ${server}. Run \`docker login\` again.`);
  }
  const answer = parseJsonObject(out);
  const [username, password] = [stringAt(answer, 'Username') ?? '', stringAt(answer, 'Secret') ?? ''];
  if (password === '') throw unreadable(`${program} get answered no Username and Secret for ${server}.`);
  // A token of an identity provider is no password: the registry is asked without credentials.
  return username === '<token>' ? undefined : { username, password };
}

function run(
  program: string,
  input: string,
  { clock, env }: { clock: Clock; env: DockerCredentialsOptions['env'] },
): Promise<{ code: number; out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['get'], {
      env: { ...env } as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
      // A group of its own: a helper is often a script, and what it started must end with it.
      detached: true,
    });
    let out = '';
    let timer: Timer | undefined;
    const fail = (why: string): void => {
      timer?.cancel();
      child.stdout.destroy();
      endGroup(child.pid);
      reject(unreadable(`${program} get ${why}.`));
    };
    timer = clock.after(limits.oci.helperMs, () => fail(`did not answer within ${limits.oci.helperMs / 1000} s`));
    child.on('error', () => fail('cannot be started. Install it, or remove it from the config.json of Docker'));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.length > limits.oci.helperBytes) fail('answered too much');
    });
    child.on('close', (code) => {
      timer?.cancel();
      resolve({ code: code ?? -1, out });
    });
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** Kills a process and what it started; one that has ended, or never began, is no error. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (stringAt(error, 'code') !== 'ESRCH') throw error;
  }
}

function unreadable(message: string): TerminalError {
  return new TerminalError(message, 'CredentialsUnreadable');
}
