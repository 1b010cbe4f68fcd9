/** The tree of a script (a subset of the POSIX shell command language). */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly quoted: boolean;
      /** `:-`, `-`, `:=`, `=`, `:+`, `+`, `:?`, `?`, `#`, `##`, `%`, `%%`, or `length`. */
      readonly operator?: string | undefined;
      readonly argument?: Word | undefined;
    }
  | { readonly kind: 'command'; readonly list: List; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly expression: Word };

export type Word = readonly WordPart[];

export interface Redirect {
  /** One descriptor, or 1 and 2 (`&>`). */
  readonly fds: readonly number[];
  readonly operator: string;
  /** A file, a number for `>&`, or the text of a here-document, which is read after the line. */
  target: Word;
}

export type Command = { readonly redirects: readonly Redirect[] } & (
  | {
      readonly kind: 'simple';
      readonly assignments: readonly (readonly [name: string, value: Word])[];
      readonly words: readonly Word[];
    }
  /** An `else` is a branch with an empty test. */
  | { readonly kind: 'if'; readonly branches: readonly (readonly [test: List, body: List])[] }
  /** `words` is undefined for "$@". */
  | { readonly kind: 'for'; readonly name: string; readonly words: readonly Word[] | undefined; readonly body: List }
  | { readonly kind: 'while'; readonly until: boolean; readonly test: List; readonly body: List }
  | {
      readonly kind: 'case';
      readonly word: Word;
      readonly branches: readonly (readonly [patterns: readonly Word[], body: List])[];
    }
  | { readonly kind: 'group'; readonly subshell: boolean; readonly body: List }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command }
);

export interface Pipeline {
  /** What joins it to the one before; undefined for the first. */
  readonly operator: '&&' | '||' | undefined;
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines that are joined by `&&` and `||`, one after the other. */
export type List = readonly (readonly Pipeline[])[];

/** The script cannot be read; the shell says so and ends with 2. */
export class SyntaxProblem extends Error {}
