const ESCAPES: { readonly [char: string]: string } = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"' };

/** `printf`: escapes, `%s %b %c %d %i %u %%` with width and precision; the format is used again while arguments are left. */
export function printfText(format: string, args: readonly string[]): string {
  let result = '';
  let next = 0;
  do {
    const before = next;
    result += format.replace(/(\\0?[0-7]{1,3}|\\.)|%([-0]*)(\d*)(?:\.(\d+))?([bcdisu%])/gs, (...found) => {
      const [, escaped, flags = '', width, precision, verb] = found as (string | undefined)[];
      if (escaped !== undefined) return unescapeText(escaped);
      if (verb === '%') return '%';
      const text = convert(verb ?? 's', args[next++] ?? '').slice(0, Number(precision ?? Number.POSITIVE_INFINITY));
      const size = Math.min(Number(width), 1000);
      return flags.includes('-') ? text.padEnd(size) : text.padStart(size, flags.includes('0') ? '0' : ' ');
    });
    if (next === before) break;
  } while (next < args.length);
  return result;
}

/** Replaces `\n`, `\t`, `\r`, `\\`, `\"` and octal numbers. */
export function unescapeText(text: string): string {
  return text.replace(/\\(0?[0-7]{1,3}|.)/gs, (whole, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (ESCAPES[code] ?? whole),
  );
}

function convert(verb: string, arg: string): string {
  if (verb === 's') return arg;
  if (verb === 'b') return unescapeText(arg);
  return verb === 'c' ? arg.slice(0, 1) : String(Math.trunc(Number(arg)) || 0);
}
