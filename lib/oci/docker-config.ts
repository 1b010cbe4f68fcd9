import { getAt, type JsonObject, stringAt } from '@/lib/json/json';

/** Where the credentials of a registry are, as Docker's `config.json` says. */
export interface CredentialPlaces {
  /** The NAME of `docker-credential-NAME`, and the word that it is asked with. */
  readonly helper?: { readonly name: string; readonly server: string };
  /** `USER:PASSWORD` in base64. */
  readonly auth?: string;
}

/** Docker Hub has another name in the file than in references. */
const HUB_HOSTS: readonly string[] = ['docker.io', 'index.docker.io', 'registry-1.docker.io'];
const HUB_KEY = 'https://index.docker.io/v1/';

/**
 * Looks a registry (`host[:port]`) up in a parsed `config.json`: `credHelpers` before `credsStore`, and `auths` for what they do not
 * have (docker/cli config/configfile, GetCredentialsStore). A helper whose name has other characters than a file name counts as none.
 */
export function credentialPlaces(config: JsonObject, registry: string): CredentialPlaces {
  const server = HUB_HOSTS.includes(registry) ? HUB_KEY : registry;
  const name = stringAt(config, 'credHelpers', server) ?? stringAt(config, 'credsStore') ?? '';
  const keys = [server, `https://${registry}`, `https://${registry}/`, `http://${registry}`, `https://${registry}/v2/`];
  const entry = keys.map((key) => getAt(config, 'auths', key)).find((each) => stringAt(each, 'auth') !== undefined);
  const auth = stringAt(entry, 'auth') ?? '';
  return {
    ...(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/.test(name) ? { helper: { name, server } } : {}),
    ...(auth === '' ? {} : { auth }),
  };
}
