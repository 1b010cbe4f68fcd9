import { hmac } from '@noble/hashes/hmac.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { toArray } from '../value/bytes';

/** The Master Password algorithm (Maarten Billemont, masterpassword.app), as Sprig's derivePassword has it. */
export interface PasswordRequest {
  readonly counter: number;
  readonly kind: string;
  readonly password: string;
  readonly user: string;
  readonly site: string;
}

const SCOPE = 'com.lyndir.masterpassword';

const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['maximum', ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno']],
  [
    'long',
    (
      'CvcvnoCvcvCvcv CvcvCvcvnoCvcv CvcvCvcvCvcvno CvccnoCvcvCvcv CvccCvcvnoCvcv CvccCvcvCvcvno CvcvnoCvccCvcv ' +
      'CvcvCvccnoCvcv CvcvCvccCvcvno CvcvnoCvcvCvcc CvcvCvcvnoCvcc CvcvCvcvCvccno CvccnoCvccCvcv CvccCvccnoCvcv ' +
      'CvccCvccCvcvno CvcvnoCvccCvcc CvcvCvccnoCvcc CvcvCvccCvccno CvccnoCvcvCvcc CvccCvcvnoCvcc CvccCvcvCvccno'
    ).split(' '),
  ],
  ['medium', ['CvcnoCvc', 'CvcCvcno']],
  ['short', ['Cvcn']],
  ['basic', ['aaanaaan', 'aannaaan', 'aaannaaa']],
  ['pin', ['nnnn']],
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['V', 'AEIOU'],
  ['C', 'BCDFGHJKLMNPQRSTVWXYZ'],
  ['v', 'aeiou'],
  ['c', 'bcdfghjklmnpqrstvwxyz'],
  ['A', 'AEIOUBCDFGHJKLMNPQRSTVWXYZ'],
  ['a', 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz'],
  ['n', '0123456789'],
  ['o', "@&%?,=[]_:-+*$#!'^~;()/."],
  ['x', 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()'],
]);

/** True for a kind of password that exists. */
export function isPasswordKind(kind: string): boolean {
  return TEMPLATES.has(kind);
}

/** All texts are byte strings. Takes about 0.2 s and 32 MiB on purpose, against guessing. */
export function derivePassword(request: PasswordRequest): string {
  const salt = SCOPE + bigEndian(request.user.length) + request.user;
  const key = scrypt(toArray(request.password), toArray(salt), { N: 32_768, r: 8, p: 2, dkLen: 64 });
  const message = SCOPE + bigEndian(request.site.length) + request.site + bigEndian(request.counter);
  const seed = hmac(sha256, key, toArray(message));
  const templates = TEMPLATES.get(request.kind) ?? [];
  const template = templates[(seed[0] ?? 0) % templates.length] ?? '';
  return Array.from(template, (letter, index) => {
    const characters = CHARACTERS.get(letter) ?? '';
    return characters[(seed[index + 1] ?? 0) % characters.length];
  }).join('');
}

function bigEndian(value: number): string {
  return String.fromCharCode((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}
