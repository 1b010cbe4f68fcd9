/** Which slot of a template's variables a name means at a place of its text. Slots are reused when blocks end. */
export class VariableSlots {
  private readonly names = ['$'];
  /** Slots alive at once at most. */
  slots = 1;
  /** The slot that holds whether the dot is an element of type `interface {}`, -1 where it never is. */
  dotType = -1;
  private readonly types = new Map<number, number>();

  declare(name: string): number {
    this.names.push(name);
    this.types.delete(this.names.length - 1);
    this.slots = Math.max(this.slots, this.names.length);
    return this.names.length - 1;
  }

  /** The innermost variable of this name, or -1. */
  find(name: string): number {
    return this.names.lastIndexOf(name);
  }

  /** A slot without a name, for the type of `range`'s elements. */
  declareType(): number {
    return this.declare('');
  }

  /** A variable that holds elements of `range`, whose type is in another slot. */
  typed(slot: number, type: number): void {
    this.types.set(slot, type);
  }

  /** The slot that holds whether a variable is an element of type `interface {}`, or -1. */
  typeOf(slot: number): number {
    return this.types.get(slot) ?? -1;
  }

  /** Compiles what another dot is in force for. */
  withDot<T>(type: number, compile: () => T): T {
    const { dotType } = this;
    this.dotType = type;
    const result = compile();
    this.dotType = dotType;
    return result;
  }

  /** Compiles a block: what it declares ends with it. */
  within<T>(compile: () => T): T {
    const mark = this.names.length;
    const result = compile();
    this.names.length = mark;
    return result;
  }
}
