import { TerminalError } from '@/lib/errors/errors';
import { channelProblem } from '@/lib/kudo/repository/lifecycle';

/** The channels of `--channel`, each once; none without the flag. @throws TerminalError `InvalidArguments` */
export function channelsOfFlag(channels: readonly string[] = []): string[] {
  const problem = channels.map(channelProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new TerminalError(`--channel ${problem}`, 'InvalidArguments');
  return [...new Set(channels)];
}
