import { decodeBase64 } from '../encoding/base64';
import { GoError } from '../template-error';
import { toArray } from '../value/bytes';

/** The first block of a text, as Go's encoding/pem decodes it; undefined when there is none. */
export function decodePem(text: string): { readonly type: string; readonly bytes: Uint8Array } | undefined {
  const lines = text.split('\n').map((line) => line.trimEnd());
  for (const [start, line] of lines.entries()) {
    const type = /^-----BEGIN ([^-\n]*(?:-[^-\n]+)*)-----$/.exec(line)?.[1];
    if (type === undefined) continue;
    const end = lines.indexOf(`-----END ${type}-----`, start);
    if (end < 0) continue;
    const body = lines.slice(start + 1, end).filter((each) => !each.includes(': '));
    try {
      return { type, bytes: toArray(decodeBase64(body.join(''))) };
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
    }
  }
  return undefined;
}
