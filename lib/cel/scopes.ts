import { type CelType, typeOf } from './cel-type';
import { TYPE_NAMES } from './declarations';
import type { Expr } from './syntax-tree';

/** The types of names. */
export type Variables = ReadonlyMap<string, CelType>;

/** The names in scope: variables of the environment, and within macros their own variables. */
export class Scopes {
  /** Nodes that are names of types. */
  readonly typeNames = new Map<Expr, CelType>();
  /** Nodes that are variables of the environment, with their qualified names. */
  readonly names = new Map<Expr, string>();
  private readonly scopes: Variables[];

  constructor(variables: Variables) {
    this.scopes = [variables];
  }

  push(names: Variables): void {
    this.scopes.push(names);
  }

  pop(): void {
    this.scopes.pop();
  }

  /** The type of a name, which is recorded; undefined for an unknown name. `.a` is never a variable of a macro. */
  typeOf(node: Expr, given: string): CelType | undefined {
    const name = given.replace(/^\./, '');
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const found = this.scopes[index]?.get(name);
      if (found === undefined || (index > 0 && given !== name)) continue;
      if (index === 0) this.names.set(node, name);
      return found;
    }
    const type = TYPE_NAMES.get(name);
    if (type === undefined) return undefined;
    this.typeNames.set(node, type);
    return typeOf(type);
  }

  /** True when a path begins with a name of a loop. */
  isLocal(path: string): boolean {
    const first = path.split('.')[0] ?? '';
    return this.scopes.some((scope, index) => index > 0 && scope.has(first));
  }
}
