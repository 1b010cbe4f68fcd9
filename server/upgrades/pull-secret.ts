import { TerminalError } from '@/lib/errors/errors';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { credentialPlaces } from '@/lib/oci/docker-config';
import type { Api } from '@/server/kube/api';
import type { CredentialsFor } from '@/server/packages/oci/authorizer';
import { decodeAuth } from '@/server/packages/oci/docker-credentials';

const TYPE = 'kubernetes.io/dockerconfigjson';
const KEY = '.dockerconfigjson';
const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

/**
 * The credentials of a Secret such as Pods name in `imagePullSecrets`. The Secret itself says to which registry they go, so a person who may
 * name it, but not read it, cannot have them sent elsewhere.
 *
 * @param name undefined: there are none
 * @returns a function that throws TerminalError `CredentialsUnreadable` when the Secret is missing or is none of this kind
 */
export function pullSecretCredentials(
  api: Pick<Api, 'get'>,
  namespace: string,
  name: string | undefined,
): CredentialsFor {
  if (name === undefined) return async () => undefined;
  return async (registry) => {
    const secret: KubeObject | undefined = await api.get({ ...SECRETS, namespace, name });
    const encoded = stringAt(secret, 'data', KEY) ?? '';
    const type = stringAt(secret, 'type');
    const place = `Secret ${namespace}/${name}`;
    if (secret === undefined) throw unreadable(`${place} does not exist. The subscription names it as its pullSecret.`);
    if (type !== TYPE) throw unreadable(`${place} is of type ${type ?? 'Opaque'}, and not ${TYPE}.`);
    if (encoded.length > limits.oci.credentialsFileBytes) throw unreadable(`${place} is larger than 1 MiB.`);
    const config = parseJsonObject(Buffer.from(encoded, 'base64').toString('utf8'));
    if (config === undefined) throw unreadable(`The key ${KEY} of ${place} is not a JSON object.`);
    const { auth } = credentialPlaces(config, registry);
    return auth === undefined ? undefined : decodeAuth(auth, `${place} (auths, ${registry})`);
  };
}

function unreadable(message: string): TerminalError {
  return new TerminalError(message, 'CredentialsUnreadable');
}
