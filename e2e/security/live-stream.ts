/** An open event stream, as its text so far. */
export interface OpenStream {
  text(): string;
  /** Reads on until the text matches, or the server ends the stream. @returns the text so far */
  until(pattern: RegExp): Promise<string>;
  /** Resolves when the server ends it. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens `/api/live` with these headers. @throws Error when the answer is not 200 */
export async function openStream(url: string, headers: { readonly [name: string]: string }): Promise<OpenStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  if (response.status !== 200 || response.body === null)
    throw new Error(`${response.status}: ${await response.text()}`);
  let text = '';
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      tell();
    }
  };
  const ended = read()
    .catch(() => undefined)
    .then(() => {
      hasEnded = true;
      tell();
    });
  return {
    text: () => text,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!hasEnded && !pattern.test(text)) return;
          listeners.delete(look);
          resolve(text);
        };
        listeners.add(look);
        look();
      }),
    ended,
    close: () => abort.abort(),
  };
}
