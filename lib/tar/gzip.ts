import { TerminalError } from '@/lib/errors/errors';

/** Compresses by the platform's own gzip, which writes no time and no name: the same bytes give the same bytes. */
export async function gzipBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Unpacks gzip, and stops when there is more than `maxBytes`.
 *
 * @throws TerminalError for what is not gzip, and for what is too large
 */
export async function gunzipBytes(archive: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array> {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b) throw refused('it is not a .tgz file');
  const reader = new Blob([archive]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw refused('its gzip data is damaged');
    });
    if (done) return joined(chunks, size);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw refused(`it unpacks to more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function refused(why: string): TerminalError {
  return new TerminalError(`The archive cannot be read: ${why}.`, 'PackageInvalid');
}
