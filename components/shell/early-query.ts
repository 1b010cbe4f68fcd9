let early = '';

/** Keeps what is typed before the palette is loaded. */
export function noteEarlyQuery(text: string): void {
  early = text;
}

/** What was typed, once. */
export function takeEarlyQuery(): string {
  const text = early;
  early = '';
  return text;
}
