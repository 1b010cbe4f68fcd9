/**
 * The text of a mapped value: `${ CEL }` gives the value of the expression, a text with `{{` is a Go template, and every other text
 * stands for itself.
 */
export type Expression =
  | { readonly is: 'cel'; readonly cel: string }
  | { readonly is: 'template'; readonly text: string }
  | { readonly is: 'text'; readonly text: string };

/** Which of the three a text is. */
export function readExpression(text: string): Expression {
  const [, cel] = /^\s*\$\{([\s\S]*)\}\s*$/.exec(text) ?? [];
  if (cel !== undefined) return { is: 'cel', cel: cel.trim() };
  return text.includes('{{') ? { is: 'template', text } : { is: 'text', text };
}
