import { getAt, isJsonObject, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import { publicKeysIn } from '@/lib/kudo/signatures/public-keys';
import type { Api } from '@/server/kube/api';
import type { RegistryCredentials } from '@/server/packages/oci/authorizer';

/**
 * Where the console keeps its repositories: a ConfigMap for each in its namespace of the home cluster, with the label below and the
 * repository's name as its value, and a Secret of the same name when there are credentials. Both are read and written with the authority of
 * the person.
 *
 * ConfigMap: `url`, `signature-keys` (PEM), `operators` (a space between them), `transport` (`http`).
 * Secret: `username`, `password`, and `server`: the only server that they are sent to. So who may write the ConfigMap alone cannot have them sent elsewhere.
 */
export const REPOSITORY_LABEL = 'bravo.kudo.dev/repository';

export const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' };
const SECRETS = { group: '', version: 'v1', resource: 'secrets' };

/** A repository of a ConfigMap. */
export interface StoredRepository {
  readonly source: RepositorySource;
  /** Changes with the ConfigMap. */
  readonly version: string;
  readonly hasCredentials: boolean;
}

export interface StoredCredentials extends RegistryCredentials {
  readonly server: string;
  /** Changes with the Secret. */
  readonly version: string;
}

/** By name. @throws the errors of Api.list */
export async function readRepositoryObjects(api: Api, namespace: string): Promise<readonly StoredRepository[]> {
  const { items } = await api.list({ ...CONFIG_MAPS, namespace }, { labelSelector: REPOSITORY_LABEL });
  return items
    .map(repositoryOf)
    .filter(({ source }) => source.name !== '')
    .sort((a, b) => (a.source.name < b.source.name ? -1 : 1));
}

function repositoryOf(object: KubeObject): StoredRepository {
  const { labels = {}, uid = '', resourceVersion = '' } = object.metadata;
  const name = labels[REPOSITORY_LABEL] ?? '';
  const textAt = (key: string): string => stringAt(object, 'data', key) ?? '';
  const operators = textAt('operators').split(' ').filter(Boolean);
  const keys = textAt('signature-keys');
  return {
    source: {
      // The name of the object says where its Secret is; one that was made by hand under another name has none.
      name: nameOf(object) === objectName(name) ? name : '',
      url: textAt('url'),
      ...(keys === '' ? {} : { signatureKeys: publicKeysIn(keys) }),
      ...(operators.length === 0 ? {} : { operators }),
      ...(textAt('transport') === 'http' ? { isPlainHttp: true } : {}),
    },
    version: `${uid}/${resourceVersion}`,
    hasCredentials: textAt('credentials') === 'true',
  };
}

/** The credentials of a repository. @throws the errors of Api.get, also when the person may not read the Secret */
export async function readCredentials(
  api: Api,
  namespace: string,
  name: string,
): Promise<StoredCredentials | undefined> {
  const secret = await api.get({ ...SECRETS, namespace, name: objectName(name) });
  const data = getAt(secret, 'data');
  if (secret === undefined || !isJsonObject(data)) return undefined;
  const [username = '', password = '', server = ''] = ['username', 'password', 'server'].map((key) =>
    Buffer.from(stringAt(data, key) ?? '', 'base64').toString('utf8'),
  );
  return { username, password, server, version: secret.metadata.resourceVersion ?? '' };
}

/** Makes a repository, and its Secret first. @throws the errors of Api.create; `AlreadyExists` when there is one of that name */
export async function createRepositoryObjects(
  api: Api,
  namespace: string,
  source: RepositorySource,
  credentials: Omit<StoredCredentials, 'version'> | undefined,
): Promise<void> {
  const made = await api.create(
    { ...CONFIG_MAPS, namespace },
    configMapOf(namespace, source, credentials !== undefined),
  );
  if (credentials === undefined) return;
  try {
    await writeCredentials(api, namespace, source.name, credentials);
  } catch (error) {
    // A repository whose credentials cannot be stored is not half there.
    await api.delete({ ...CONFIG_MAPS, namespace, name: nameOf(made) });
    throw error;
  }
}

/** Changes a repository. `keep`: the credentials stay as they are; undefined: they are removed. */
export async function updateRepositoryObjects(
  api: Api,
  namespace: string,
  source: RepositorySource,
  credentials: Omit<StoredCredentials, 'version'> | 'keep' | undefined,
): Promise<void> {
  const target = { ...CONFIG_MAPS, namespace, name: objectName(source.name) };
  if (credentials === undefined) await deleteIfFound(api, { ...SECRETS, namespace, name: target.name });
  else if (credentials !== 'keep') await writeCredentials(api, namespace, source.name, credentials);
  const { data } = configMapOf(namespace, source, credentials !== undefined);
  // A merge patch keeps keys that it does not name: those that are not set any more are removed.
  const none = Object.fromEntries(KEYS.map((key) => [key, null]));
  await api.patch(target, 'merge', { data: { ...none, ...data } });
}

/** Removes a repository and its credentials. @throws the errors of Api.delete */
export async function deleteRepositoryObjects(api: Api, namespace: string, name: string): Promise<void> {
  await deleteIfFound(api, { ...SECRETS, namespace, name: objectName(name) });
  await api.delete({ ...CONFIG_MAPS, namespace, name: objectName(name) });
}

const KEYS = ['url', 'signature-keys', 'operators', 'transport', 'credentials'];

function configMapOf(namespace: string, source: RepositorySource, hasCredentials: boolean) {
  const { name, url, signatureKeys, operators, isPlainHttp } = source;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: objectName(name), namespace, labels: { [REPOSITORY_LABEL]: name } },
    data: {
      url,
      ...(signatureKeys === undefined ? {} : { 'signature-keys': signatureKeys.join('') }),
      ...(operators === undefined ? {} : { operators: operators.join(' ') }),
      ...(isPlainHttp === true ? { transport: 'http' } : {}),
      ...(hasCredentials ? { credentials: 'true' } : {}),
    },
  };
}

async function writeCredentials(
  api: Api,
  namespace: string,
  name: string,
  { username, password, server }: Omit<StoredCredentials, 'version'>,
): Promise<void> {
  const target = { ...SECRETS, namespace, name: objectName(name) };
  const texts = Object.entries({ username, password, server });
  const data = Object.fromEntries(texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
  if ((await api.get(target)) !== undefined) {
    await api.patch(target, 'merge', { data });
    return;
  }
  const metadata = { name: target.name, namespace, labels: { [REPOSITORY_LABEL]: name } };
  await api.create({ ...SECRETS, namespace }, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data });
}

async function deleteIfFound(api: Api, target: Parameters<Api['delete']>[0]): Promise<void> {
  if ((await api.get(target)) !== undefined) await api.delete(target);
}

function objectName(name: string): string {
  return `bravo-repository-${name}`;
}
