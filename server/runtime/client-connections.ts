import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Which connections showed a certificate of an authority that counts now. A connection counts from its first byte to the authorities of
 * that moment: a handshake that began with the former ones is not taken for one with the new ones.
 */
export class ClientConnections {
  private readonly eraByClient = new Map<string, number>();
  private era = 0;

  watch(server: Pick<Server, 'on'>): void {
    server.on('connection', (socket: Socket) => {
      const client = clientOf(socket);
      this.eraByClient.set(client, this.era);
      socket.once('close', () => this.eraByClient.delete(client));
    });
    // A connection that was busy while the authorities changed ends with its answer.
    server.on('request', ({ socket }, response) => {
      response.once('close', () => {
        if (this.isOutdated(socket)) socket.end();
      });
    });
  }

  /** The authorities have changed: what is open was let in by the former ones. */
  distrust(): void {
    this.era += 1;
  }

  /** The certificate of a connection that OpenSSL accepted. */
  certificateOf(socket: Socket): X509Certificate | undefined {
    if (!(socket instanceof TLSSocket) || !socket.authorized || this.isOutdated(socket)) return undefined;
    // Node calls a resumed TLS 1.3 session authorized when no certificate was ever shown (VerifyPeerCertificate in
    // https://github.com/nodejs/node/blob/v20.x/src/crypto/crypto_common.cc): the certificate itself has to exist.
    return socket.getPeerX509Certificate();
  }

  private isOutdated(socket: Socket): boolean {
    return this.eraByClient.get(clientOf(socket)) !== this.era;
  }
}

/** Unique among open connections. */
function clientOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
