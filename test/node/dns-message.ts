/**
 * Messages of DNS (RFC 1035, section 4): a header of 12 bytes, one question, and answers that refer to its name. Only what a resolver
 * of libc or Go sends for addresses is read.
 */
export interface DnsQuestion {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** The bytes of the question section, which the answer repeats. */
  readonly bytes: Buffer;
  readonly wantsRecursion: boolean;
}

export const TYPE_A = 1;
const HEADER_BYTES = 12;
const CLASS_IN = 1;
/** Names of pods change within seconds, so nobody may keep them. */
const LIFE_SECONDS = 1;
const POINTER_TO_QUESTION = 0xc00c;

/** The question of a query; undefined for everything else. */
export function readQuestion(message: Buffer): DnsQuestion | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(4) !== 1 || (message.readUInt8(2) & 0xf8) !== 0)
    return undefined;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  if (message.length < at + 4) return undefined;
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.'),
    type: message.readUInt16BE(at),
    bytes: message.subarray(HEADER_BYTES, at + 4),
    wantsRecursion: (message.readUInt8(2) & 1) !== 0,
  };
}

/** The answer: addresses; none when the name has no address of that type; undefined when there is no such name. */
export function writeAnswer(question: DnsQuestion, addresses: readonly string[] | undefined): Buffer {
  const answers = addresses ?? [];
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(question.id, 0);
  // A response, authoritative, recursion as asked for and available.
  header.writeUInt8(0x84 | (question.wantsRecursion ? 1 : 0), 2);
  header.writeUInt8(0x80 | (addresses === undefined ? NO_SUCH_NAME : 0), 3);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question.bytes, ...answers.map(addressRecord)]);
}

const NO_SUCH_NAME = 3;

function addressRecord(address: string): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(POINTER_TO_QUESTION, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(CLASS_IN, 4);
  record.writeUInt32BE(LIFE_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of address.split('.').entries()) record.writeUInt8(Number(part), 12 + index);
  return record;
}
