import bcryptjs from 'bcryptjs';
import { GoError } from '../template-error';
import { toText } from '../value/bytes';

/** The cost of golang.org/x/crypto/bcrypt's DefaultCost, with which Sprig calls it. */
const COST = 10;

/**
 * bcrypt as golang.org/x/crypto writes it: `$2a$10$…`.
 *
 * @param password a byte string; it has to be UTF-8, because the library takes text
 * @param salt 16 bytes
 * @throws GoError for more than 72 bytes, or for other bytes than UTF-8
 */
export function bcryptHash(password: string, salt: Uint8Array): string {
  if (password.length > 72) throw new GoError('bcrypt: password length exceeds 72 bytes');
  const text = toText(password);
  if (text === undefined) throw new GoError('bcrypt: password is not valid UTF-8');
  return bcryptjs.hashSync(text, `$2a$${COST}$${bcryptjs.encodeBase64(salt, salt.length)}`);
}
