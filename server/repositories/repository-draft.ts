import { CLUSTER_NAME } from '@/lib/clusters/cluster-path';
import { messageOf } from '@/lib/errors/errors';
import { getAt, type JsonValue, stringAt } from '@/lib/json/json';
import type { RepositoryDraft } from '@/lib/kudo/repository/repository-info';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { publicKeysIn } from '@/lib/kudo/signatures/public-keys';
import { limits } from '@/lib/limits/limits';
import { isOciReference } from '@/lib/oci/reference';
import { type ProblemCause, Refusal } from '@/server/http/problem';
import { registryPath } from '@/server/packages/oci/oci-repository';
import { readPublicKey } from '@/server/packages/signing/keys';
import type { StoredCredentials } from './repository-objects';

/** A form that was read: what becomes of the repository, and of its credentials. */
export interface ReadDraft {
  readonly source: RepositorySource;
  /** `keep`: those that are stored. */
  readonly credentials: Omit<StoredCredentials, 'version'> | 'keep' | undefined;
}

const OPERATOR = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const MAX_URL = 2_048;
const MAX_CREDENTIAL = 8_192;
const MAX_KEYS = 10;

/** Reads what a route got. @throws Refusal 422 that names the fields */
export function readRepositoryDraft(body: JsonValue | undefined): ReadDraft {
  const draft = draftOf(body);
  const causes: ProblemCause[] = [];
  const wrong = (field: keyof RepositoryDraft, message: string): void => void causes.push({ field, message });
  if (!CLUSTER_NAME.test(draft.name) || draft.name.length > 40) {
    wrong('name', 'Use 1 to 40 of a–z, 0–9 and -, with a letter or digit at both ends.');
  }
  const urlProblem = problemOfUrl(draft.url);
  if (urlProblem !== undefined) wrong('url', urlProblem);
  const operators = draft.operators.split(/[\s,]+/).filter(Boolean);
  const other = operators.find((each) => !OPERATOR.test(each));
  if (other !== undefined) wrong('operators', `${other.slice(0, 63)} is not the name of a package.`);
  const keys = publicKeysIn(draft.signatureKeys);
  const keyProblem = problemOfKeys(draft.signatureKeys, keys);
  if (keyProblem !== undefined) wrong('signatureKeys', keyProblem);
  const { username, password } = draft;
  if (username.includes(':')) wrong('username', 'A user name has no colon.');
  if ((username === '') !== (password === '')) wrong('password', 'Give a user name and a password, or neither.');
  if (username.length + password.length > MAX_CREDENTIAL) wrong('password', 'It is too long.');
  if (causes.length > 0) throw new Refusal(422, 'Invalid', causes.map(({ message }) => message).join(' '), causes);
  const source = {
    name: draft.name,
    url: draft.url,
    ...(keys.length === 0 ? {} : { signatureKeys: keys }),
    ...(operators.length === 0 ? {} : { operators }),
    ...(draft.isPlainHttp ? { isPlainHttp: true } : {}),
  };
  const given = password === '' ? undefined : { username, password, server: serverOf(draft.url) };
  return { source, credentials: draft.keepsCredentials && given === undefined ? 'keep' : given };
}

/** The server that credentials of a repository are for: a registry's host, or the origin of a URL. */
export function serverOf(url: string): string {
  return isOciReference(url) ? registryPath(url).registry : new URL(url).origin;
}

function draftOf(body: JsonValue | undefined): RepositoryDraft {
  const text = (field: string): string => stringAt(body, field) ?? '';
  return {
    name: text('name'),
    url: text('url').trim().replace(/\/+$/, ''),
    signatureKeys: text('signatureKeys'),
    operators: text('operators'),
    isPlainHttp: getAt(body, 'isPlainHttp') === true,
    username: text('username'),
    password: text('password'),
    keepsCredentials: getAt(body, 'keepsCredentials') === true,
  };
}

function problemOfUrl(url: string): string | undefined {
  if (url === '') return 'Give the address: https://…, or oci://registry/path.';
  if (url.length > MAX_URL) return `It is longer than ${MAX_URL} characters.`;
  if (isOciReference(url)) {
    try {
      const { tag, digest } = { tag: undefined, digest: undefined, ...registryPath(url) };
      return tag === undefined && digest === undefined ? undefined : 'Give the path above the packages, without a tag.';
    } catch (error) {
      return messageOf(error);
    }
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    return 'It must begin with https://, http:// or oci://.';
  return parsed.username === '' && parsed.password === ''
    ? undefined
    : 'Give user name and password in their own fields, not in the address.';
}

function problemOfKeys(text: string, keys: readonly string[]): string | undefined {
  if (text.trim() === '') return undefined;
  if (text.length > limits.publicKeyBytes || keys.length > MAX_KEYS) return `Give at most ${MAX_KEYS} keys.`;
  if (keys.length === 0) return 'Paste public keys in PEM: -----BEGIN PUBLIC KEY-----';
  try {
    for (const [at, pem] of keys.entries()) readPublicKey(pem, String(at + 1));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
