import type { IncomingMessage } from 'node:http';
import { messageOf } from '@/lib/errors/errors';
import { internalError, StatusError } from '../errors/status';
import type { SandboxCore } from '../exchange/core';
import { type ExecChannel, requireExec, runExec } from '../http/exec-socket';
import { noPorts } from '../http/pod-proxy';
import { readExec } from '../http/server';
import { type InjectedRequest, MemoryRequest } from './inject';
import { MemoryBody } from './memory-body';

/** The messages of one command in a container. Each is a channel byte and data. */
export interface InjectedSocket {
  readonly messages: AsyncIterable<Uint8Array>;
  send(message: Uint8Array): void;
  close(): void;
}

/** What a server answers instead of opening a stream. */
export interface ExecRefusal {
  readonly refused: { readonly status: number; readonly body: string };
}

/**
 * Runs a command in a container without a socket: the same checks and the same protocol as over a WebSocket, for a run in
 * one process.
 */
export function injectExec(
  core: SandboxCore,
  stopping: AbortSignal,
  wanted: Omit<InjectedRequest, 'method' | 'body'>,
): InjectedSocket | ExecRefusal {
  try {
    const request = new MemoryRequest({ ...wanted, method: 'GET' }) as unknown as IncomingMessage;
    const { verb, ...asked } = readExec(core, request);
    const podConsole = requireExec(core, { ...asked, verb });
    if (verb === 'portforward') throw noPorts();
    const { socket, channel } = memoryChannel(wanted.signal);
    void runExec(podConsole, channel, { ...asked, verb }, stopping);
    return socket;
  } catch (error) {
    const { status, code } = error instanceof StatusError ? error : internalError(messageOf(error));
    if (!(error instanceof StatusError)) core.reportBug(error);
    return { refused: { status: code, body: JSON.stringify(status) } };
  }
}

/** Both ends of one stream; the client disconnects when it closes, or when its signal is aborted. */
function memoryChannel(signal: AbortSignal | undefined): { socket: InjectedSocket; channel: ExecChannel } {
  const gone: (() => void)[] = [];
  const listeners: ((message: Buffer) => void)[] = [];
  const leave = () => {
    for (const listener of gone.splice(0)) listener();
  };
  const messages = new MemoryBody({ drained: () => {}, left: leave });
  signal?.addEventListener(
    'abort',
    () => {
      messages.break(new Error('The connection was closed.'));
      leave();
    },
    { once: true },
  );
  return {
    socket: {
      messages,
      send(message) {
        for (const listener of listeners) listener(Buffer.from(message));
      },
      close() {
        messages.end();
        leave();
      },
    },
    channel: {
      send: (message) => void messages.push(message),
      close: () => messages.end(),
      onMessage: (listener) => void listeners.push(listener),
      onGone: (listener) => void gone.push(listener),
    },
  };
}
