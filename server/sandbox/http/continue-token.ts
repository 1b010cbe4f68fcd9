import { badRequest } from '../errors/status';
import { goJsonError } from '../exchange/go-json';

/** Where the next page of a list starts: the revision of the first page and the last key given. */
export interface ContinueToken {
  /** -1 means the present revision. */
  readonly revision: number;
  readonly after: string;
}

const VERSION = 'meta.k8s.io/v1';

/** The form of apiserver storage.EncodeContinue: base64url of `{"v", "rv", "start"}`, `start` just after the last key. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const text = JSON.stringify({ v: VERSION, rv: revision, start: `${after}\u0000` });
  return Buffer.from(text, 'utf8').toString('base64url');
}

/** 400 for what is not a token. */
export function decodeContinue(token: string): ContinueToken {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw badRequest(`invalid continue token: continue key is not valid: ${goJsonError(text)}`);
  }
  const { v, rv, start } = (parsed ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== VERSION) {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version ${String(v)}`,
    );
  }
  if (typeof rv !== 'number' || typeof start !== 'string' || start === '') {
    throw badRequest('invalid continue token: continue key is not valid: encoded start key empty');
  }
  // A start without the closing NUL names the first key itself; keys never end in NUL, so "after" is just before it.
  return {
    revision: rv === 0 ? -1 : rv,
    after: start.endsWith('\u0000') ? start.slice(0, -1) : `${start.slice(0, -1)}\uffff`,
  };
}
