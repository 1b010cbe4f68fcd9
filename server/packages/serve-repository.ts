import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Clock, formatTime } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { addToIndex, formatIndex } from '@/lib/kudo/repository/build-index';
import { limits } from '@/lib/limits/limits';
import { isRepositoryFile } from './companions';
import { archiveNames, folderEntries } from './folder-index';

export interface ServeOptions {
  readonly folder: string;
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
  /** Names, without port, by which clients may ask for it, besides its address. */
  readonly hosts: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** After each answer. */
  onAnswer?(method: string, path: string, status: number): void;
}

/** A repository that is served until it is stopped. */
export interface ServedRepository {
  readonly url: string;
  stop(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' };

/**
 * Serves a folder as a repository: `index.yaml` and archives with what belongs to them, and no other file. Without an
 * `index.yaml` the index is made of the archives. Requests that name another host are refused, so that no web page reaches it by DNS rebinding.
 *
 * @throws TerminalError when the folder does not exist or the port is in use
 */
export async function serveRepository(options: ServeOptions): Promise<ServedRepository> {
  const { folder, address, port } = options;
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true) {
    throw new TerminalError(`"${folder}" is not a folder.`, 'InvalidArguments');
  }
  const index = indexReader(options);
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    response.on('finish', () => options.onAnswer?.(request.method ?? '', pathOf(request), response.statusCode));
    answer(request, response, options, index).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else say(response, 500, messageOf(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new TerminalError(`${address}:${port} cannot be used: ${error.message}.`, 'InvalidArguments'));
    });
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    url: `http://${host}:${typeof bound === 'object' && bound !== null ? bound.port : port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type ReadIndex = (base: string) => Promise<string>;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, address, hosts }: ServeOptions,
  readIndex: ReadIndex,
): Promise<void> {
  const host = request.headers.host ?? '';
  const name = host.replace(/:\d+$/, '').toLowerCase();
  const accepted = [address, `[${address}]`, ...hosts, ...(LOOPBACK.includes(address) ? LOOPBACK : [])];
  if (!accepted.includes(name)) return say(response, 421, `This is not a server for ${name.slice(0, 100)}.`);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return say(response, 405, 'Only GET and HEAD are supported.');
  }
  const file = pathOf(request).slice(1);
  if (file === 'index.yaml') {
    const text = await readIndex(`http://${host}`);
    response.writeHead(200, {
      ...HEADERS,
      'content-type': 'application/yaml',
      'content-length': Buffer.byteLength(text),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
    return;
  }
  const path = join(folder, file);
  const found = isRepositoryFile(file) ? await stat(path).catch(() => undefined) : undefined;
  if (found?.isFile() !== true) return say(response, 404, 'This repository has no such file.');
  const type = file.endsWith('.json') ? 'application/json' : 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-length': found.size });
  if (request.method === 'HEAD') response.end();
  else
    createReadStream(path)
      .on('error', () => response.destroy())
      .pipe(response);
}

/** The path of a request: what is after `?` does not count. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}

function say(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`);
}

/** The index of the folder: its file, or one that is made of the archives and made again when they have changed. */
function indexReader({ folder, clock }: ServeOptions): ReadIndex {
  let known: { readonly key: string; readonly text: string } | undefined;
  return async (base) => {
    const file = join(folder, 'index.yaml');
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.size <= limits.repositoryIndexBytes) return readFile(file, 'utf8');
    const names = await archiveNames(folder);
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
    const key = JSON.stringify([base, names, times]);
    if (known?.key !== key) {
      const { entries } = await folderEntries(folder, base);
      const { index } = addToIndex({ entries: new Map() }, entries);
      known = { key, text: formatIndex(index, formatTime(clock.now())) };
    }
    return known.text;
  };
}
