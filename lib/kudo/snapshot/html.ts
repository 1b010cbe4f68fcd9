import { escapeHtml } from '@/lib/template/functions/escape';

/** A piece of HTML whose texts are escaped. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | undefined | readonly Html[];

/** HTML from a template: texts and numbers are escaped, what is HTML already is not; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const text = strings.map((string, at) => `${string}${partText(parts[at])}`).join('');
  return { html: text };
}

function partText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}
