import { decodeRune, encodeRune, runeCount } from '../value/bytes';
import { formatGoFloat } from './float';
import { canBackquote, isPrint, quote, quoteRune, quoteToAscii } from './quote';

/**
 * How one verb is to be printed, and Go's fmt/format.go under these flags. Every method returns the text to write.
 * A width or precision of -1 means that it is absent.
 */
export class Flags {
  width = -1;
  precision = -1;
  minus = false;
  plus = false;
  sharp = false;
  space = false;
  zero = false;
  /** `%+v` and `%#v`: `plus` and `sharp` are moved here, as they mean something else for members. */
  plusV = false;
  sharpV = false;

  /** Pads to the width, counted in code points. */
  pad(bytes: string, zero = this.zero): string {
    const missing = this.width - runeCount(bytes);
    if (missing <= 0) return bytes;
    return this.minus ? bytes + ' '.repeat(missing) : this.padding(missing, zero) + bytes;
  }

  private padding(count: number, zero: boolean): string {
    return (zero && !this.minus ? '0' : ' ').repeat(Math.max(0, count));
  }

  integer(value: bigint, base: number, verb: string): string {
    const negative = value < 0n;
    let digits = (negative ? -value : value).toString(base);
    if (verb === 'X') digits = digits.toUpperCase();
    let minimum = 0;
    if (this.precision >= 0) {
      minimum = this.precision;
      if (minimum === 0 && value === 0n) return this.padding(this.width, false);
    } else if (this.zero && !this.minus && this.width >= 0) {
      minimum = this.width - (negative || this.plus || this.space ? 1 : 0);
    }
    digits = digits.padStart(minimum, '0');
    if (this.sharp) digits = withPrefix(digits, base, verb);
    if (verb === 'O') digits = `0o${digits}`;
    const sign = negative ? '-' : this.plus ? '+' : this.space ? ' ' : '';
    return this.pad(sign + digits, false);
  }

  /** `%#v` of an unsigned integer. */
  hexInteger(value: bigint): string {
    const { sharp } = this;
    this.sharp = true;
    const text = this.integer(value, 16, 'x');
    this.sharp = sharp;
    return text;
  }

  /** `%U`. */
  unicode(value: bigint): string {
    const digits = value.toString(16).toUpperCase().padStart(Math.max(4, this.precision), '0');
    const rune = Number(value);
    const shown = this.sharp && value <= 0x10ffffn && isPrint(rune) ? ` '${encodeRune(rune)}'` : '';
    return this.pad(`U+${digits}${shown}`, false);
  }

  character(value: bigint): string {
    return this.pad(encodeRune(value > 0x10ffffn || value < 0n ? 0xfffd : Number(value)));
  }

  quotedCharacter(value: bigint): string {
    return this.pad(quoteRune(value > 0x10ffffn || value < 0n ? 0xfffd : Number(value), this.plus));
  }

  text(bytes: string): string {
    return this.pad(this.truncate(bytes));
  }

  quoted(bytes: string): string {
    const cut = this.truncate(bytes);
    if (this.sharp && canBackquote(cut)) return this.pad(`\`${cut}\``);
    return this.pad(this.plus ? quoteToAscii(cut) : quote(cut));
  }

  private truncate(bytes: string): string {
    if (this.precision < 0) return bytes;
    let at = 0;
    for (let count = 0; count < this.precision && at < bytes.length; count++) at += decodeRune(bytes, at).width;
    return bytes.slice(0, at);
  }

  /** `%x` of a string: `sharp` adds 0x, `space` puts spaces between the bytes. */
  hex(bytes: string, upper: boolean): string {
    const cut = this.precision >= 0 ? bytes.slice(0, this.precision) : bytes;
    if (cut === '') return this.padding(this.width, this.zero);
    const prefix = this.sharp ? '0x' : '';
    const pairs = Array.from(cut, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0'));
    const text = this.space ? pairs.map((pair) => prefix + pair).join(' ') : prefix + pairs.join('');
    const shown = upper ? text.toUpperCase() : text;
    const missing = this.width - shown.length;
    if (missing <= 0) return shown;
    return this.minus ? shown + this.padding(missing, false) : this.padding(missing, this.zero) + shown;
  }

  float(value: number, verb: string, defaultPrecision: number): string {
    const precision = this.precision >= 0 ? this.precision : defaultPrecision;
    let text = formatGoFloat(value, verb, precision);
    if (text[0] !== '-' && text[0] !== '+') text = `+${text}`;
    if (this.space && text[0] === '+' && !this.plus) text = ` ${text.slice(1)}`;
    if (text[1] === 'I' || text[1] === 'N') {
      if (text[1] === 'N' && !this.space && !this.plus) return this.pad(text.slice(1), false);
      return this.pad(text[1] === 'I' && text[0] === '+' && !this.plus ? text.slice(0) : text, false);
    }
    if (this.sharp && verb !== 'b') text = withPoint(text, verb, precision);
    if (!this.plus && text[0] === '+') return this.pad(text.slice(1));
    if (this.zero && !this.minus && this.width > text.length) {
      return `${text[0]}${this.padding(this.width - text.length, true)}${text.slice(1)}`;
    }
    return this.pad(text);
  }
}

function withPrefix(digits: string, base: number, verb: string): string {
  if (base === 2) return `0b${digits}`;
  if (base === 8) return digits.startsWith('0') ? digits : `0${digits}`;
  return base === 16 ? `0${verb === 'X' ? 'X' : 'x'}${digits}` : digits;
}

/** `%#g` and similar: always a point, and with g all digits of the precision. */
function withPoint(text: string, verb: string, precision: number): string {
  const isHex = verb === 'x' || verb === 'X';
  const tailStart = text.search(isHex ? /[pP]/ : /[eE]/);
  const body = tailStart < 0 ? text : text.slice(0, tailStart);
  const tail = tailStart < 0 ? '' : text.slice(tailStart);
  let missing = verb === 'g' || verb === 'G' || verb === 'x' ? (precision === -1 ? 6 : precision) : 0;
  missing -= body.slice(1).replace('.', '').replace(/^0+/, '').length;
  let shown = body;
  if (!body.includes('.')) {
    if (body.length === 2 && body[1] === '0') missing--;
    shown += '.';
  }
  return shown + '0'.repeat(Math.max(0, missing)) + tail;
}
