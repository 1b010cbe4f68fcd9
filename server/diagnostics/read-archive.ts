import { gunzipSync } from 'node:zlib';
import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { isKubeObject, type KubeObject } from '@/lib/kube/object';
import { limits } from '@/lib/limits/limits';
import { readYaml } from '@/lib/yaml/yaml';
import { tarFiles } from '@/server/packages/tar-files';
import type { ArchiveHead } from './collect-archive';

/** An Instance of an archive with everything that was collected of it. */
export interface CollectedInstance {
  readonly instance: KubeObject;
  readonly version: KubeObject | undefined;
  readonly runs: readonly KubeObject[];
  readonly events: readonly KubeObject[];
}

/** The log of a container; `error` when it could not be read. */
export interface CollectedLog {
  readonly pod: string;
  readonly container: string;
  readonly text: string;
  readonly error: boolean;
}

/** An archive that was read. */
export interface ReadDiagnostics {
  readonly head: ArchiveHead;
  /** The Instance that was asked for, then its children. */
  readonly instances: readonly CollectedInstance[];
  readonly logs: readonly CollectedLog[];
}

/**
 * Reads an archive of `diagnostics collect --archive`. It comes from outside: sizes are limited, and nothing in it is trusted.
 *
 * @param what its name in errors
 * @throws TerminalError for what is no such archive
 */
export async function readDiagnostics(what: string, archive: Uint8Array): Promise<ReadDiagnostics> {
  const most = { bytes: limits.diagnostics.bytes + limits.diagnostics.files * 1_024, files: limits.diagnostics.files };
  if (archive.length > most.bytes) throw invalid(what, `it is larger than ${most.bytes} bytes`);
  const files = new Map([...(await tarFiles(what, archive, most))].map(([name, { content }]) => [name, content]));
  const head = yamlOf(files.get('archive.yaml'));
  if (head?.format !== 1)
    throw invalid(what, 'it is no archive of bravo diagnostics collect --archive, or of a newer version');
  return { head: headOf(head), instances: instancesOf(files), logs: logsOf(files) };
}

function invalid(what: string, why: string): TerminalError {
  return new TerminalError(`The archive ${what} cannot be used: ${why}.`, 'InvalidArchive');
}

function yamlOf(content: Buffer | undefined): JsonObject | undefined {
  if (content === undefined) return undefined;
  const read = readYaml(content.toString('utf8'));
  return read.ok && isJsonObject(read.value) ? read.value : undefined;
}

function headOf(head: JsonObject): ArchiveHead {
  const text = (...path: string[]) => stringAt(head, ...path) ?? '';
  return {
    format: 1,
    instance: text('instance'),
    namespace: text('namespace'),
    collectedAt: text('collectedAt'),
    versions: { bravo: text('versions', 'bravo'), kubernetes: text('versions', 'kubernetes') },
    warnings: arrayAt(head, 'warnings').filter((item) => typeof item === 'string'),
  };
}

const INSTANCE_FILE = /^(.*operator_[^/]+)\/instance_([^/]+)\/([^/]+)\.yaml$/;

function instancesOf(files: ReadonlyMap<string, Buffer>): CollectedInstance[] {
  const found = [...files.keys()].flatMap((path) => {
    const [, operator = '', name = '', file] = INSTANCE_FILE.exec(path) ?? [];
    const instance = name === file ? yamlOf(files.get(path)) : undefined;
    if (!isKubeObject(instance)) return [];
    const folder = `${operator}/instance_${name}`;
    const versionName = stringAt(instance, 'spec', 'operatorVersion', 'name') ?? '';
    const version = yamlOf(files.get(`${operator}/operatorversion_${versionName}/${versionName}.yaml`));
    return {
      depth: path.split('/').length,
      collected: {
        instance,
        version: isKubeObject(version) ? version : undefined,
        runs: itemsOf(files.get(`${folder}/planrunlist.yaml`)),
        events: itemsOf(files.get(`${folder}/eventlist.yaml`)),
      },
    };
  });
  return found.sort((a, b) => a.depth - b.depth).map(({ collected }) => collected);
}

function itemsOf(content: Buffer | undefined): KubeObject[] {
  return arrayAt(yamlOf(content), 'items').flatMap((item) => (isKubeObject(item) ? [item] : []));
}

const LOG_FILE = /(?:^|\/)pod_([^/]+)\/([^/]+)\.log\.(gz|err)$/;

function logsOf(files: ReadonlyMap<string, Buffer>): CollectedLog[] {
  return [...files].flatMap(([path, content]) => {
    const [whole, pod = '', container = '', end] = LOG_FILE.exec(path) ?? [];
    if (whole === undefined) return [];
    const error = end === 'err';
    return { pod, container, error, text: error ? content.toString('utf8') : unzipped(content) };
  });
}

function unzipped(content: Buffer): string {
  try {
    return gunzipSync(content, { maxOutputLength: limits.diagnostics.logBytes * 2 }).toString('utf8');
  } catch {
    return '';
  }
}
