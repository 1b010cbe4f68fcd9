/** Stands where a secret value was. The console never writes it back: it sends only what a person changed. */
export const SECRET_MARK = '‹secret›';
