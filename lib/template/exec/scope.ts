/** Which slot of a template's variables a name means at a place of its text. Slots are reused when blocks end. */
export class Scope {
  private readonly names = ['$'];
  /** Slots alive at once at most. */
  slots = 1;

  declare(name: string): number {
    this.names.push(name);
    this.slots = Math.max(this.slots, this.names.length);
    return this.names.length - 1;
  }

  /** The innermost variable of this name, or -1. */
  find(name: string): number {
    return this.names.lastIndexOf(name);
  }

  /** Compiles a block: what it declares ends with it. */
  within<T>(compile: () => T): T {
    const mark = this.names.length;
    const result = compile();
    this.names.length = mark;
    return result;
  }
}
