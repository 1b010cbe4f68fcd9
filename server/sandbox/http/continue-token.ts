import { badRequest } from '../errors/status';
import { parseJsonAsGo } from '../exchange/go-json';

/** Where the next page of a list starts: the revision of the first page and the last key given. */
export interface ContinueToken {
  /** -1 means the present revision. */
  readonly revision: number;
  readonly after: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The form of apiserver storage.EncodeContinue: base64url of `{"v", "rv", "start"}`, `start` just after the last key. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: VERSION, rv: revision, start: `${after}\u0000` })).toString('base64url');
}

/** 400 for what is not a token. */
export function decodeContinue(token: string): ContinueToken {
  const refuse = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  // By bytes, as Go reads it: the text of the key is made of them again.
  const parsed = parseJsonAsGo(Buffer.from(token, 'base64url').toString('latin1'), refuse);
  const { v, rv, start } = (parsed ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== VERSION) throw refuse(`server does not recognize this encoded version ${String(v)}`);
  if (typeof rv !== 'number' || typeof start !== 'string' || start === '') throw refuse('encoded start key empty');
  const key = Buffer.from(start, 'latin1').toString('utf8');
  // A start without the closing NUL names the first key itself; keys never end in NUL, so "after" is just before it.
  return {
    revision: rv === 0 ? -1 : rv,
    after: key.endsWith('\u0000') ? key.slice(0, -1) : `${key.slice(0, -1)}\uffff`,
  };
}
