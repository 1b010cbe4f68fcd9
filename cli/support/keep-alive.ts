import { MessageChannel } from 'node:worker_threads';

/** Keeps the process alive until it is stopped: timers do not, and without a connection to the cluster there is no socket. */
export function keepAlive(): { stop(): void } {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', () => undefined);
  return {
    stop: () => {
      port1.close();
      port2.close();
    },
  };
}
