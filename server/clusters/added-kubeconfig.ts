import { isIP } from 'node:net';
import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import { readYaml } from '@/lib/yaml/yaml';

/** A kubeconfig that a person may add: with one context, whose credentials are all in it. */
export interface AddedKubeconfig {
  readonly config: JsonObject;
  readonly context: string;
  readonly server: string;
}

const MOST_BYTES = 256 * 1024;
/** What would make the server read a file or start a program: a kubeconfig of a page must do neither. */
const FILES = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const;
const PROGRAMS = ['exec', 'auth-provider'] as const;

/**
 * Reads a kubeconfig that a person pasted, and keeps of it what its context needs.
 *
 * @throws TerminalError with one sentence for what cannot be used, or must not be
 */
export function readAddedKubeconfig(text: string, wanted: string | undefined): AddedKubeconfig {
  if (Buffer.byteLength(text) > MOST_BYTES) throw invalid(`The kubeconfig is larger than ${MOST_BYTES / 1024} KiB.`);
  const config = parse(text);
  const context = wanted ?? stringAt(config, 'current-context') ?? '';
  const choices = arrayAt(config, 'contexts').flatMap((entry) => stringAt(entry, 'name') ?? []);
  if (!choices.includes(context)) {
    const which = context === '' ? 'no current context' : `no context ${context}`;
    throw invalid(`The kubeconfig has ${which}. Choose one of: ${choices.slice(0, 10).join(', ') || 'it has none'}.`);
  }
  const use = named(config, 'contexts', 'context', context);
  const cluster = named(config, 'clusters', 'cluster', stringAt(use, 'cluster') ?? '');
  const user = named(config, 'users', 'user', stringAt(use, 'user') ?? '');
  if (use === undefined || cluster === undefined || user === undefined) {
    throw invalid(`The cluster or the user of the context ${context} is missing in the kubeconfig.`);
  }
  refuseForeign(cluster, user);
  const server = stringAt(cluster, 'server') ?? '';
  refuseServer(server);
  return {
    context,
    server,
    config: {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': context },
      contexts: [{ name: context, context: use }],
      clusters: [{ name: stringAt(use, 'cluster') ?? '', cluster }],
      users: [{ name: stringAt(use, 'user') ?? '', user }],
    },
  };
}

function parse(text: string): JsonObject {
  const read = readYaml(text);
  if (!read.ok) throw invalid(`The kubeconfig is not YAML: ${read.problems[0]?.message ?? 'it cannot be read'}.`);
  if (isJsonObject(read.value) && read.value.kind === 'Config') return read.value;
  throw invalid('This is not a kubeconfig: kind is not Config.');
}

function refuseForeign(cluster: JsonObject, user: JsonObject): void {
  for (const field of PROGRAMS) {
    if (user[field] !== undefined && user[field] !== null) {
      throw invalid(
        `The user of the context has ${field}, which starts a program. Use a token of a ServiceAccount instead.`,
      );
    }
  }
  for (const field of FILES) {
    if (stringAt(cluster, field) || stringAt(user, field)) {
      const data = field === 'tokenFile' ? 'token' : `${field}-data`;
      throw invalid(
        `The kubeconfig names a file in ${field}. Put its content into ${data}: kubectl config view --flatten.`,
      );
    }
  }
  if (stringAt(cluster, 'proxy-url'))
    throw invalid('The kubeconfig has a proxy-url, which is not used for added clusters.');
  if (stringAt(user, 'as'))
    throw invalid('The user of the context impersonates another one (as). Use credentials of its own.');
}

/** The console connects to this address: it must not be led to what only its own machine or cloud answers. */
function refuseServer(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '')
    throw invalid('The kubeconfig has no server with a valid URL.');
  if (url.protocol !== 'https:') throw invalid(`The server ${url.origin} is not https.`);
  // A dot at the end makes it no other host.
  const host = url.hostname.replaceAll(/^\[|\]$|\.$/g, '').toLowerCase();
  if (isIP(host) !== 0 && isLinkLocal(host)) {
    throw invalid(`The server ${url.host} has a link-local address, at which clouds serve their metadata.`);
  }
  if (host === 'metadata.google.internal') throw invalid(`The server ${url.host} is a metadata service.`);
}

function isLinkLocal(host: string): boolean {
  return (
    /^169\.254\./.test(host) ||
    /^fe[89ab]/.test(host) ||
    /^::ffff:(169\.254\.|a9fe:)/.test(host) ||
    host === 'fd00:ec2::254'
  );
}

function named(config: JsonObject, list: string, member: string, name: string): JsonObject | undefined {
  const found = arrayAt(config, list).find((item) => stringAt(item, 'name') === name);
  return found === undefined ? undefined : objectAt(found, member);
}

function invalid(message: string): TerminalError {
  return new TerminalError(message, 'InvalidKubeconfig');
}
