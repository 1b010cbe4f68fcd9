import { encode, print } from '../io';
import type { Call, Program } from '../session';

/** Programs that would open connections. They open none: they write a page that names the URL. */
export const networkPrograms: { readonly [name: string]: Program } = {
  wget(call) {
    const { url, output } = readArguments(call.argv.slice(1), 'O');
    if (url === undefined) return 1;
    const name = output ?? fileName(url);
    return save(call, url, name === '-' ? undefined : name);
  },
  curl(call) {
    const { url, output } = readArguments(call.argv.slice(1), 'o');
    if (url === undefined) return 2;
    const remoteName = call.argv.some((arg) => /^-\w*O/.test(arg));
    return save(call, url, output ?? (remoteName ? fileName(url) : undefined));
  },
  ping({ argv, session, streams }) {
    print(streams.stdout, `PING ${argv.at(-1) ?? ''} (${session.host.ip}): 56 data bytes\n`);
    return 0;
  },
  nslookup({ argv, session, streams }) {
    print(streams.stdout, `Name:\t${argv[1] ?? ''}\nAddress: ${session.host.ip}\n`);
    return 0;
  },
  nc() {
    return 0;
  },
};

/** The page that stands for whatever the URL would have given. */
export function pageFor(url: string): string {
  return `<!doctype html>\n<title>${escapeHtml(url)}</title>\n<p>This page stands in for ${escapeHtml(url)}: the sandbox opens no connections.</p>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const WITH_VALUE = /^-([oOHXdTumAeP]|-(header|request|data|output|max-time|user|output-document|timeout|tries))$/;

function readArguments(
  args: readonly string[],
  outputLetter: string,
): { url: string | undefined; output: string | undefined } {
  let url: string | undefined;
  let output: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const isOutput = arg.startsWith('-') && !arg.startsWith('--') && arg.endsWith(outputLetter);
    if (isOutput || arg === '--output' || arg === '--output-document') output = args[++at];
    else if (arg.startsWith('--output=') || arg.startsWith('--output-document='))
      output = arg.slice(arg.indexOf('=') + 1);
    else if (WITH_VALUE.test(arg) && !(outputLetter === 'o' && arg === '-O')) at++;
    else if (!arg.startsWith('-')) url ??= arg;
  }
  return { url, output };
}

function fileName(url: string): string {
  const path = url.replace(/^[a-z]+:\/\//i, '').split(/[?#]/)[0] ?? '';
  const name = path.includes('/') ? (path.split('/').at(-1) ?? '') : '';
  return name === '' ? 'index.html' : name;
}

function save(call: Call, url: string, name: string | undefined): number {
  const page = pageFor(url);
  if (name === undefined) print(call.streams.stdout, page);
  else call.session.host.files.write(call.session.path(name), encode(page), { nowMs: call.session.nowMs() });
  return 0;
}
