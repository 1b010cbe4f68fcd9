import { connect, createServer, type Socket } from 'node:net';

/** A connection between a client and a server on this machine that can be cut and restored. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection, takes new ones, and passes nothing on. */
  hang(): void;
  restore(): void;
  close(): Promise<void>;
}

/** @param targetPort a function when the listener starts later; it is called for each connection */
export async function startTcpProxy(targetPort: number | (() => number)): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let isHanging = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    if (isHanging) {
      sockets.add(client);
      client.on('error', () => undefined);
      client.on('close', () => sockets.delete(client));
      return;
    }
    const target = connect(typeof targetPort === 'number' ? targetPort : targetPort(), '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      // The other end sees it as the end of its own connection.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut() {
      isCut = true;
      drop();
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    restore() {
      if (isHanging) drop();
      isHanging = false;
      isCut = false;
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
