const NAME = 'PartMissing';

/** The error of a page whose console does not have a part of it. */
export function partMissing(cause: unknown): Error {
  return Object.assign(new Error('The console has no such part', { cause }), { name: NAME });
}

/** True when the console answers, but does not have a part of the page: it has been updated since the page was opened. */
export function isPartMissing(error: Error): boolean {
  return error.name === NAME;
}
