import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { formatTime } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { limits } from '@/lib/limits/limits';
import { serverVersion } from '@/server/kube/server-version';
import { productVersion } from '@/server/runtime/root';
import { Bundle } from './bundle';
import { collectInstance } from './collect-instance';
import { collectRecords } from './collect-records';
import { collectSystem } from './collect-system';
import { readRedactor } from './secret-values';
import type { DiagnosticsSource } from './source';

const compress = promisify(gzip);

/** What is collected. */
export interface ArchiveRequest {
  readonly instance: string;
  /** How far logs go back; undefined: to the beginning, up to the limit of one log. */
  readonly sinceSeconds?: number | undefined;
}

/** An archive, and what it could not collect or mask. */
export interface DiagnosticsArchive {
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/** What `archive.yaml` says of an archive. `format` grows with the layout. */
export interface ArchiveHead {
  readonly format: 1;
  readonly instance: string;
  readonly namespace: string;
  /** RFC 3339. */
  readonly collectedAt: string;
  readonly versions: { readonly bravo: string; readonly kubernetes: string };
  readonly warnings: readonly string[];
}

/**
 * Collects an Instance into one `.tgz`: the files of the old folder (KUDO's layout), `archive.yaml`, and `run_NAME.json` with the record
 * of each run. Everything goes through the redactor. What cannot be read is said in a file of its own and in the warnings.
 *
 * @throws TerminalError when the Instance does not exist, and whatever the API says of it
 */
export async function collectArchive(source: DiagnosticsSource, request: ArchiveRequest): Promise<DiagnosticsArchive> {
  const { namespace, api, clock } = source;
  const { instance: name } = request;
  if ((await api.get({ ...INSTANCES, namespace, name })) === undefined) {
    throw new TerminalError(`instance ${namespace}/${name} does not exist`, 'NotFound');
  }
  const warnings: string[] = [];
  const noted = { ...source, warn: (line: string) => void warnings.push(line) };
  const files = new Map<string, Uint8Array>();
  let left: number = limits.diagnostics.bytes;
  const redactor = await readRedactor(noted);
  const bundle = new Bundle(async (path, content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (bytes.length > left)
      throw new Error(`${path} is left out: the archive would be larger than ${limits.diagnostics.bytes} bytes`);
    left -= bytes.length;
    files.set(path, bytes);
  }, redactor);
  const context = {
    session: noted,
    bundle,
    sinceSeconds: request.sinceSeconds,
    maxLogBytes: limits.diagnostics.logBytes,
  };
  const attempt = (part: Promise<void>) =>
    part.catch((error: unknown) => void warnings.push(redactor.text(messageOf(error))));
  await attempt(collectInstance(context, name));
  await attempt(collectRecords(context, name));
  await attempt(collectSystem(context));
  const kubernetes = (await serverVersion(api).catch(() => undefined)) ?? 'unknown';
  const head: ArchiveHead = {
    format: 1,
    instance: name,
    namespace,
    collectedAt: formatTime(clock.now()),
    versions: { bravo: productVersion, kubernetes },
    warnings: [...warnings, ...bundle.failures],
  };
  await bundle.writeYaml('archive.yaml', head);
  return { bytes: await packed(files, clock.now()), warnings: head.warnings };
}

async function packed(files: ReadonlyMap<string, Uint8Array>, nowMs: number): Promise<Uint8Array> {
  const tar = pack();
  const chunks: Uint8Array[] = [];
  const collected = (async () => {
    for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  })();
  // biome-ignore lint/style/noRestrictedGlobals: the tar library takes a Date
  const mtime = new Date(nowMs);
  for (const [name, content] of files) tar.entry({ name, mode: 0o600, mtime }, Buffer.from(content));
  tar.finalize();
  await collected;
  return compress(Buffer.concat(chunks));
}
