const SIGNALS: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [13, 'SIGPIPE'],
  [15, 'SIGTERM'],
]);

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [0, 'The program ended by itself, without an error.'],
  [1, 'The program ended with an error of its own; its log says which one.'],
  [2, 'The program ended with an error: often an option or an argument that it does not know.'],
  [126, 'The command exists and cannot be executed: it lacks the permission, or is built for another machine.'],
  [127, 'The command does not exist in the image.'],
  [128, 'The container could not be started, or its program ended with a number that is no exit code.'],
  [134, 'The program aborted itself (SIGABRT), as a failed assertion does.'],
  [
    137,
    'The program was killed (SIGKILL): it did not end within its grace period, its liveness probe failed, or the node had no memory left.',
  ],
  [139, 'The program crashed: it used memory that is not its own (SIGSEGV).'],
  [143, 'The program was told to end (SIGTERM), and did.'],
  [255, 'The program ended with -1, or its container runtime failed.'],
]);

/**
 * What an exit code of a container means, as a sentence. Codes above 128 are 128 and the number of a signal (POSIX shells, OCI runtimes).
 *
 * @param reason that of the kubelet: `OOMKilled`, `Error`, `Completed`, `ContainerCannotRun` …
 */
export function explainExitCode(code: number, reason = ''): string {
  if (reason === 'OOMKilled') return 'The container used more memory than its limit and was killed (SIGKILL).';
  if (reason === 'DeadlineExceeded') return 'The pod ran longer than activeDeadlineSeconds and was stopped.';
  if (reason === 'ContainerStatusUnknown') return 'The node was lost, and nobody knows how the program ended.';
  const known = MEANINGS.get(code);
  if (known !== undefined) return known;
  const signal = SIGNALS.get(code - 128);
  if (signal !== undefined) return `The program was ended by signal ${code - 128} (${signal}).`;
  if (code > 128 && code <= 192) return `The program was ended by signal ${code - 128}.`;
  return 'The program ended with an error that it defines itself.';
}
