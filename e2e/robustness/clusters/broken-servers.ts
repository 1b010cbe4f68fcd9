import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type CertificateFacts, certificatePem } from '@/lib/x509/certificate';
import { freePort } from '@/test/programs/process';

/** A server that a kubeconfig names and that is no use. */
export interface BrokenServer {
  readonly name: BrokenKind;
  readonly port: number;
  /** The authority that the kubeconfig trusts. */
  readonly caPem: string;
  close(): Promise<void>;
}

export const BROKEN_KINDS = [
  /** Takes the request and never answers. */
  'hangs',
  /** Takes the connection and never begins TLS. */
  'mute',
  /** Answers with a byte a second. */
  'trickles',
  /** Its certificate has expired, is of another host, is of an authority that nobody trusts. */
  'expired',
  'wrong-host',
  'unknown-authority',
  /** Ends each connection with a reset. */
  'resets',
  /** Listens on no port. */
  'refuses',
] as const;

export type BrokenKind = (typeof BROKEN_KINDS)[number];

const DAY_MS = 24 * 60 * 60 * 1000;
const BYTE_EVERY_MS = 1_000;

export async function startBrokenServers(): Promise<BrokenServer[]> {
  const authority = makeAuthority();
  const stranger = makeAuthority();
  const trusted = (name: BrokenKind, more: Partial<Validity> = {}) =>
    startTls(name, authority.caPem, authority.issue({ ...VALID, ...more }), name === 'trickles' ? trickle : hang);
  return Promise.all([
    trusted('hangs'),
    trusted('trickles'),
    trusted('expired', { notAfterMs: Date.now() - DAY_MS }),
    trusted('wrong-host', { names: ['elsewhere.test'] }),
    startTls('unknown-authority', authority.caPem, stranger.issue(VALID), hang),
    startTcp('mute', authority.caPem, () => undefined),
    startTcp('resets', authority.caPem, (socket) => socket.resetAndDestroy()),
    freePort().then((port) => ({
      name: 'refuses' as const,
      port,
      caPem: authority.caPem,
      close: async () => undefined,
    })),
  ]);
}

interface Validity {
  readonly names: readonly string[];
  readonly notAfterMs: number;
}

interface ServerKeys {
  readonly cert: string;
  readonly key: string;
}

const VALID: Validity = { names: ['127.0.0.1'], notAfterMs: Date.now() + DAY_MS };

function makeAuthority(): { readonly caPem: string; issue(validity: Validity): ServerKeys } {
  const signer = newKey();
  const subject = 'broken-servers';
  const common = { issuer: subject, notBeforeMs: Date.now() - 10 * DAY_MS };
  const write = (facts: Omit<CertificateFacts, 'issuer' | 'notBeforeMs' | 'serial'>) =>
    certificatePem({ ...common, serial: serial(), ...facts }, (body) => sign('sha256', body, signer));
  const keyId = createHash('sha1').update(publicKeyOf(signer)).digest();
  const caUse = { kind: 'authority', keyId } as const;
  return {
    caPem: write({ subject, publicKey: publicKeyOf(signer), notAfterMs: VALID.notAfterMs, use: caUse }),
    issue({ names, notAfterMs }) {
      const key = newKey();
      const use = { kind: 'server', names, authorityKeyId: keyId } as const;
      const cert = write({ subject: 'broken', publicKey: publicKeyOf(key), notAfterMs, use });
      return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
    },
  };
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
}

function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

/** Positive: the first bit is not set. */
function serial(): Uint8Array {
  const bytes = randomBytes(16);
  bytes[0] = 1 + ((bytes[0] ?? 0) & 0x3f);
  return bytes;
}

const hang = () => undefined;

function trickle(socket: Socket): void {
  socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write('{'), BYTE_EVERY_MS);
    socket.once('close', () => clearInterval(timer));
  });
}

function startTls(
  name: BrokenKind,
  caPem: string,
  keys: ServerKeys,
  serve: (socket: Socket) => void,
): Promise<BrokenServer> {
  return listen(name, caPem, (taken) =>
    createTlsServer(keys, (socket) => serve(taken(socket))).on('tlsClientError', () => undefined),
  );
}

function startTcp(name: BrokenKind, caPem: string, serve: (socket: Socket) => void): Promise<BrokenServer> {
  return listen(name, caPem, (taken) => createTcpServer((socket) => serve(taken(socket))));
}

/** @param make gets what it calls with each socket, so that closing ends them all */
async function listen(
  name: BrokenKind,
  caPem: string,
  make: (taken: (socket: Socket) => Socket) => ReturnType<typeof createTcpServer>,
): Promise<BrokenServer> {
  const sockets = new Set<Socket>();
  const server = make((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    ...{ name, caPem },
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
