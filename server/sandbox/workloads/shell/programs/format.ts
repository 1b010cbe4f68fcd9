const ESCAPES: { readonly [char: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** `printf`: escapes, `%s %b %d %i %x %o %c %f %%` with width and precision; the format is used again while arguments are left. */
export function printfText(format: string, args: readonly string[]): string {
  let result = '';
  let next = 0;
  do {
    const before = next;
    result += format.replace(
      /\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|.)|%([-0+ ]*)(\d+|\*)?(?:\.(\d+))?([a-zA-Z%])/gs,
      (...found) => {
        const [whole, sequence, flags = '', width, precision, verb] = found as (string | undefined)[];
        if (sequence !== undefined) return unescapeOne(sequence);
        if (verb === '%') return '%';
        const size = width === '*' ? Number(args[next++]) : Number(width ?? 0);
        return pad(convert(verb ?? '', args[next++] ?? '', precision) ?? whole ?? '', size, flags);
      },
    );
    if (next === before) break;
  } while (next < args.length);
  return result;
}

function unescapeOne(code: string): string {
  if (code.startsWith('x') && code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff);
  return ESCAPES[code] ?? `\\${code}`;
}

function convert(verb: string, arg: string, precision: string | undefined): string | undefined {
  switch (verb) {
    case 's':
      return precision === undefined ? arg : arg.slice(0, Number(precision));
    case 'b':
      return printfText(arg.replaceAll('%', '%%'), []);
    case 'c':
      return arg.slice(0, 1);
    case 'd':
    case 'i':
    case 'u':
      return String(Math.trunc(Number(arg)) || 0);
    case 'x':
      return (Math.trunc(Number(arg)) || 0).toString(16);
    case 'X':
      return (Math.trunc(Number(arg)) || 0).toString(16).toUpperCase();
    case 'o':
      return (Math.trunc(Number(arg)) || 0).toString(8);
    case 'f':
      return (Number(arg) || 0).toFixed(Math.min(20, Number(precision ?? 6)));
    default:
      return undefined;
  }
}

function pad(text: string, width: number, flags: string): string {
  const size = Math.min(width || 0, 1000);
  if (flags.includes('-')) return text.padEnd(size);
  return text.padStart(size, flags.includes('0') ? '0' : ' ');
}
