/** The value below which `percent` of the sample lie (nearest rank). */
export function percentile(sample: readonly number[], percent: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Milliseconds that something takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** A page asks again after a while, too. */
const AGAIN_MS = 250;

/** Asks for all paths at once, and again for each that has ended, while something else is done. */
export async function withLoad<T>(base: string, paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const asked = paths.map(async (path) => {
    while (!abort.signal.aborted) {
      await textOf(base + path, abort.signal);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  });
  try {
    return await work();
  } finally {
    abort.abort();
    await Promise.all(asked);
  }
}

/** Undefined when it was aborted or broke off. Ends with the signal even when the body of an aborted answer does not. */
async function textOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  try {
    return await Promise.race([aborted, fetch(url, { signal }).then((response) => response.text())]);
  } catch {
    return undefined;
  }
}

export interface Lines extends AsyncIterable<string> {
  /** Resolves with the first line, from here on, of which this is true. */
  until(isIt: (line: string) => boolean): Promise<string>;
}

/** The lines of a body as they arrive, without empty ones. */
export function readLines(response: Response): Lines {
  const source = linesOf(response);
  return {
    [Symbol.asyncIterator]: () => source,
    async until(isIt) {
      for (;;) {
        const { value, done } = await source.next();
        if (done === true) throw new Error('The body ended before that line.');
        if (isIt(value)) return value;
      }
    },
  };
}

async function* linesOf(response: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) if (line !== '') yield line;
  }
  if (rest !== '') yield rest;
}
