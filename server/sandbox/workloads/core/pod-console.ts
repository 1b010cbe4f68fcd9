import type { Socket } from 'node:net';

/** Which container; `container` may be left out for a pod with one container (or by `kubectl.kubernetes.io/default-container`). */
export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string | undefined;
}

export interface ExecRequest extends ContainerTarget {
  /** The program and its arguments, not split further: `['sh', '-c', 'echo a; echo b']`. */
  readonly command: readonly string[];
  /** With a terminal, stderr comes on stdout and every `\n` of the output is `\r\n`. */
  readonly tty: boolean;
  /** What the client sends; read only by commands that read their input, ended by the client's close. With a terminal it is read at once. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** The size of the client's terminal now. */
  readonly terminalSize?: (() => { readonly columns: number; readonly rows: number }) | undefined;
  readonly onStdout: (chunk: Uint8Array) => void;
  readonly onStderr: (chunk: Uint8Array) => void;
  /** Ends the command (the connection was closed). */
  readonly signal?: AbortSignal | undefined;
}

export interface ExecResult {
  readonly exitCode: number;
}

/** The query of `pods/log` (Kubernetes core/v1 PodLogOptions). */
export interface LogRequest extends ContainerTarget {
  readonly follow?: boolean | undefined;
  /** The log of the container's run before this one. */
  readonly previous?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  /** Milliseconds since 1970; lines before it are left out (`sinceSeconds` and `sinceTime` both end here). */
  readonly sinceTimeMs?: number | undefined;
  /** Each line begins with its time (RFC 3339, nanoseconds). */
  readonly timestamps?: boolean | undefined;
  /** Ends a follow. */
  readonly signal?: AbortSignal | undefined;
}

/** A port of a pod. */
export interface PortTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What `pods/exec`, `pods/attach` and `pods/log` can do with the simulated pods. Both throw a {@link PodConsoleError}
 * before anything is written when the pod or container does not exist or does not run; the HTTP layer turns it into a Status.
 */
export interface PodConsole {
  /**
   * Runs a command in a container; resolves when it has ended, with the exit code (0–255; 126 not executable,
   * 127 not found, 137 killed by a limit or the signal).
   */
  exec(request: ExecRequest): Promise<ExecResult>;
  /** The container's log in whole lines; ends at once without `follow`, else with the container or the signal. */
  log(request: LogRequest): AsyncIterable<Uint8Array>;
  /** A connection to a port; absent where pods are simulated. Throws a {@link PodConsoleError} 500 when nothing listens. */
  connect?(target: PortTarget): Promise<Socket>;
}

/** Why a container cannot be reached, with the HTTP code and the message that a kubelet or API server gives. */
export class PodConsoleError extends Error {
  /** 400 bad request (which container?, not started yet), 404 not found, 500 the kubelet's own (container not running). */
  readonly code: 400 | 404 | 500;
  readonly reason: 'BadRequest' | 'NotFound' | 'InternalError';

  constructor(code: 400 | 404 | 500, message: string) {
    super(message);
    this.name = 'PodConsoleError';
    this.code = code;
    this.reason = code === 400 ? 'BadRequest' : code === 404 ? 'NotFound' : 'InternalError';
  }
}
