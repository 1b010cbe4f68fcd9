import { decodeBase64, encodeBase64 } from '../encoding/base64';
import { GoError } from '../template-error';
import { fromArray, toArray } from '../value/bytes';
import type { Bytes } from './der';

/** encoding/pem: blocks as byte strings, 64 characters a line. */
export function encodePem(type: string, bytes: Bytes): string {
  const lines = encodeBase64(fromArray(bytes)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.map((line) => `${line}\n`).join('')}-----END ${type}-----\n`;
}

/** The first block of a text, or undefined when there is none. */
export function decodePem(text: string): { readonly type: string; readonly bytes: Bytes } | undefined {
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
