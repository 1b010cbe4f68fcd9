import { MessageChannel } from 'node:worker_threads';

/** Timers do not keep the process alive, and there is no socket while the cluster is away: this does until it is stopped. */
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
