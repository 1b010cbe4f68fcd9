import { escapeHtml } from '@/lib/template/functions/escape';

/** The text that {@link escapeHtml} escaped. */
export function unescapeHtml(text: string): string {
  const characters = ['<', '>', '"', "'", '&'];
  return characters.reduce((done, character) => done.replaceAll(escapeHtml(character), character), text);
}
