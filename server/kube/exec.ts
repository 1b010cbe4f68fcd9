import { TerminalError, TransientError } from '@/lib/errors/errors';
import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import { formatResourcePath } from '@/lib/kube/path';
import { limits } from '@/lib/limits/limits';
import type { ExecOptions, Target, TerminalRequest } from './api';
import type { Caller } from './caller';
import { withDeadline } from './deadline';
import { errorOfResponse } from './errors';
import { openSocket } from './open-socket';
import type { ChannelSocket } from './transport';

/** The cause of a TerminalError `ExitCode`: a command ended with another exit code than 0. */
export class CommandFailure extends Error {
  constructor(
    readonly exitCode: number,
    readonly stdout: Uint8Array,
  ) {
    super(`exit code ${exitCode}`);
    this.name = 'CommandFailure';
  }
}

/** Sub-protocols of pods/exec over WebSocket, the newer one first (Kubernetes apimachinery remotecommand). */
export const EXEC_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/** The first byte of every message names its channel. */
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;

const STDERR_CHARS = 512;
const EXEC_DEADLINE_MS = 60_000;

/**
 * Runs a command in a container and returns its standard output. Fails with TerminalError `ExitCode` (exit code not 0;
 * the message holds the beginning of standard error, the cause is a {@link CommandFailure}), `OutputTooLarge`, and otherwise as every call does.
 */
export function execInPod(caller: Caller, target: Target, options: ExecOptions): Promise<Uint8Array> {
  const query = new URLSearchParams();
  if (options.container !== undefined) query.set('container', options.container);
  for (const part of options.command) query.append('command', part);
  query.set('stdout', 'true');
  query.set('stderr', 'true');
  const path = `${formatResourcePath({ ...target, subresource: 'exec' })}?${query.toString()}`;
  return withDeadline(caller.clock, Math.max(EXEC_DEADLINE_MS, limits.writeDeadlineMs), options.signal, (signal) =>
    run(caller, path, options, signal),
  );
}

/** Runs a command with a terminal in a container. Only the opening has a deadline: a terminal lasts until one side closes it. */
export function openTerminal(caller: Caller, target: Target, options: TerminalRequest): Promise<ChannelSocket> {
  const { container, command, signal } = options;
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'false', tty: 'true' });
  for (const part of command) query.append('command', part);
  const path = `${formatResourcePath({ ...target, subresource: 'exec' })}?${query.toString()}`;
  return openSocket(caller, { path, protocols: EXEC_PROTOCOLS, signal });
}

async function run(caller: Caller, path: string, options: ExecOptions, signal: AbortSignal): Promise<Uint8Array> {
  const socket = await openSocket(caller, { path, protocols: EXEC_PROTOCOLS, signal });
  const output: Uint8Array[] = [];
  let size = 0;
  let errors = '';
  let status: JsonValue | undefined;
  try {
    for await (const message of socket.messages) {
      const payload = message.subarray(1);
      if (message[0] === STDOUT) {
        size += payload.length;
        if (size > options.maxBytes) {
          throw new TerminalError(`The command wrote more than ${options.maxBytes} bytes.`, 'OutputTooLarge');
        }
        output.push(payload);
      } else if (message[0] === STDERR && errors.length < STDERR_CHARS) {
        errors += Buffer.from(payload).toString('utf8');
      } else if (message[0] === STATUS && payload.length > 0) {
        status = JSON.parse(Buffer.from(payload).toString('utf8')) as JsonValue;
        break;
      }
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw caller.connectionError(error);
  } finally {
    socket.close();
  }
  if (signal.aborted) throw signal.reason;
  options.onErrors?.(errors.slice(0, STDERR_CHARS));
  const stdout = Buffer.concat(output);
  checkStatus(status, errors, stdout);
  return stdout;
}

function checkStatus(status: JsonValue | undefined, errors: string, stdout: Uint8Array): void {
  if (status === undefined) {
    throw new TransientError('The connection to the container closed before the command finished.', 'ConnectionFailed');
  }
  if (stringAt(status, 'status') === 'Success') return;
  const exitCode = arrayAt(status, 'details', 'causes').find((cause) => stringAt(cause, 'reason') === 'ExitCode');
  const text = errors.trim().slice(0, STDERR_CHARS);
  const detail = text === '' ? (stringAt(status, 'message') ?? 'the command failed') : text;
  if (exitCode !== undefined) {
    const code = stringAt(exitCode, 'message') ?? '?';
    throw new TerminalError(`Exit code ${code}: ${detail}`, 'ExitCode', {
      cause: new CommandFailure(Number(code), stdout),
    });
  }
  throw errorOfResponse(500, JSON.stringify(status));
}
