/** Cuts a text that arrives in pieces into its lines. What comes after the last line break is no line yet. */
export class LineReader {
  private rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  read(text: string): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') this.onLine(line);
  }
}
