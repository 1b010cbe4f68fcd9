import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';
import type { SignaturePolicy } from '@/server/packages/signing/check-signatures';
import { readPrivateKey, readPublicKey } from '@/server/packages/signing/keys';

/** The private key of a file. Its password is that of {@link askPassword}. */
export async function readSigningKey(file: string): Promise<KeyObject> {
  return readPrivateKey(await readKeyFile(file), file, () => askPassword(`Password of ${file}`));
}

/** The texts of files with public keys, each of which was read. */
export async function readKeyTexts(files: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const file of files) {
    const pem = await readKeyFile(file);
    readPublicKey(pem, file);
    texts.push(pem);
  }
  return texts;
}

/** The policy of `--key FILE` on a command line. */
export async function policyOfFlag(files: readonly string[]): Promise<SignaturePolicy> {
  const keys: KeyObject[] = [];
  for (const file of files) keys.push(readPublicKey(await readKeyFile(file), file));
  return { owner: '--key', keys };
}

/** `COSIGN_PASSWORD`, as for cosign; else what a person types, which is not shown. */
export async function askPassword(question: string): Promise<string> {
  const given = process.env.COSIGN_PASSWORD;
  if (given !== undefined) return given;
  if (!process.stdin.isTTY) {
    throw new TerminalError(`${question}: set COSIGN_PASSWORD, or run this in a terminal.`, 'InvalidArguments');
  }
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  const answer = await new Promise<string>((resolve) => reader.question('', resolve));
  reader.close();
  process.stderr.write('\n');
  return answer;
}

async function readKeyFile(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new TerminalError(`The key file ${file} does not exist.`, 'InvalidArguments');
  if (found.size > limits.publicKeyBytes) {
    throw new TerminalError(`The key file ${file} is larger than ${limits.publicKeyBytes} bytes.`, 'InvalidArguments');
  }
  return readFile(file, 'utf8');
}
