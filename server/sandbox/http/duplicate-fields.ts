/**
 * Looks for members of JSON objects that come twice, which JSON.parse swallows; the text is valid JSON. Gives texts such as
 * `duplicate field "data.k"` in the order of the text, as sigs.k8s.io/json's strict decoding names them.
 */
export function duplicateFields(text: string): string[] {
  const scanner = new DuplicateScanner(text);
  scanner.value('');
  return scanner.found;
}

class DuplicateScanner {
  readonly found: string[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  value(path: string): void {
    this.space();
    const char = this.text[this.at];
    if (char === '{') this.object(path);
    else if (char === '[') this.array(path);
    else if (char === '"') this.string();
    else while (this.at < this.text.length && !',]} \t\r\n'.includes(this.text[this.at] ?? '')) this.at++;
  }

  private object(path: string): void {
    const seen = new Set<string>();
    this.at++;
    for (;;) {
      this.space();
      if (this.text[this.at] === ',') {
        this.at++;
        this.space();
      }
      if (this.text[this.at] !== '"') {
        this.at++;
        return;
      }
      const key = JSON.parse(this.string()) as string;
      const place = path === '' ? key : `${path}.${key}`;
      this.space();
      this.at++;
      this.value(place);
      if (seen.has(key)) this.found.push(`duplicate field ${JSON.stringify(place)}`);
      seen.add(key);
    }
  }

  private array(path: string): void {
    this.at++;
    for (let index = 0; ; index++) {
      this.space();
      if (this.text[this.at] === ',') this.at++;
      this.space();
      if (this.text[this.at] === ']' || this.at >= this.text.length) {
        this.at++;
        return;
      }
      this.value(`${path}[${index}]`);
    }
  }

  private string(): string {
    const start = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    return this.text.slice(start, ++this.at);
  }

  private space(): void {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) this.at++;
  }
}
