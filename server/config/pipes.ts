import { type Problem, TerminalError } from '@/lib/errors/errors';
import { parseDuration } from '@/lib/kudo/plan/deadlines';

/** What the environment says about the pods of Pipe tasks, checked. */
export interface PipeSettings {
  /** The image of the container that keeps the files until they are copied; it needs sh, sleep, stat and tar. */
  readonly image: string;
  /** How long a pipe's pod may take to make its files, milliseconds; 0 is for ever, as in KUDO. */
  readonly timeoutMs: number;
}

/** KUDO's image, with a tag: a node without a registry runs only what it has. More time than any pipe that works needs. */
export const DEFAULT_PIPES: PipeSettings = { image: 'busybox:1.37.0', timeoutMs: 3_600_000 };

/**
 * Reads `BRAVO_PIPE_IMAGE` (a cluster without the default registry needs another image) and `BRAVO_PIPE_TIMEOUT`
 * (`30m`; `0` is for ever).
 *
 * @throws TerminalError with one sentence a mistake
 */
export function readPipeSettings(environment: { readonly [name: string]: string | undefined }): PipeSettings {
  const problems: Problem[] = [];
  const image = environment.BRAVO_PIPE_IMAGE || DEFAULT_PIPES.image;
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/.test(image)) {
    problems.push({ path: 'BRAVO_PIPE_IMAGE', message: `"${image}" is not the name of an image` });
  }
  const text = environment.BRAVO_PIPE_TIMEOUT || undefined;
  const timeoutMs = text === undefined ? DEFAULT_PIPES.timeoutMs : text === '0' ? 0 : parseDuration(text);
  if (timeoutMs === undefined) {
    problems.push({ path: 'BRAVO_PIPE_TIMEOUT', message: `"${text}" is not a duration; write for example 30m, or 0` });
  }
  if (problems.length === 0) return { image, timeoutMs: timeoutMs ?? 0 };
  throw new TerminalError(problems.map(({ path, message }) => `${path}: ${message}.`).join('\n'), 'InvalidSettings');
}
