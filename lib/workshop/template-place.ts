/** The word at the cursor inside an action of a template. */
export interface ActionPlace {
  /** `.Params.RE` or `quo`: up to the cursor. */
  readonly typed: string;
  readonly from: number;
  /** True for the first word of the action, where `if` and `range` may be written. */
  readonly isFirst: boolean;
}

/** The place at an offset inside `{{ … }}`; undefined outside, and inside a text or a comment of an action. */
export function actionPlaceAt(text: string, offset: number): ActionPlace | undefined {
  const open = text.lastIndexOf('{{', offset - 1);
  if (open === -1 || open + 2 > offset) return undefined;
  const inside = text.slice(open + 2, offset).replace(/^-(?=\s|$)/, ' ');
  if (inside.includes('}}') || inside.trimStart().startsWith('/*') || isInText(inside)) return undefined;
  const typed = /[$.\w]*$/.exec(inside)?.[0] ?? '';
  return { typed, from: offset - typed.length, isFirst: inside.slice(0, inside.length - typed.length).trim() === '' };
}

function isInText(inside: string): boolean {
  const rest = inside.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`/g, '');
  return rest.includes('"') || rest.includes('`');
}
