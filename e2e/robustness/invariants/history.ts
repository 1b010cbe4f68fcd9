interface Moment {
  readonly text: string;
  readonly sinceMs: number;
}

/** What each of several things was, and since when. */
export class History {
  private readonly moments = new Map<string, readonly Moment[]>();

  note(key: string, text: string, sinceMs: number): void {
    const known = this.moments.get(key) ?? [];
    if (known.at(-1)?.text !== text) this.moments.set(key, [...known, { text, sinceMs }]);
  }

  /** Everything that it was in the last `withinMs` before `atMs`, oldest first. */
  within(key: string, atMs: number, withinMs: number): readonly string[] {
    const known = this.moments.get(key) ?? [];
    return known.filter((_, index) => (known[index + 1]?.sinceMs ?? atMs) >= atMs - withinMs).map(({ text }) => text);
  }
}
