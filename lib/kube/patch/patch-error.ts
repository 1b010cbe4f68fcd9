import { TerminalError } from '@/lib/errors/errors';

/** HTTP codes that kube-apiserver gives to a patch that it cannot read or apply. */
export type PatchErrorCode = 400 | 413 | 422 | 500;

const REASONS: { readonly [code in PatchErrorCode]: string } = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  500: '',
};

/**
 * A patch that cannot be read or applied. `code` and the message are those of kube-apiserver; `reason` is the Status
 * reason, empty where the API gives none (500).
 */
export class PatchError extends TerminalError {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message, REASONS[code]);
    this.code = code;
  }
}

/** What kube-apiserver answers to every JSON patch whose operations do not apply; it keeps the cause to itself. */
export function rejectedPatch(): PatchError {
  return new PatchError(422, 'the server rejected our request due to an error in our request');
}
