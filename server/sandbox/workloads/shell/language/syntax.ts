/** The tree of a script (a subset of the POSIX shell command language). */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly quoted: boolean;
      /** `:-`, `-`, `:=`, `=`, `:+`, `+`, `:?`, `?`, `#`, `##`, `%`, `%%`, `/`, `//`, or `length`. */
      readonly operator?: string | undefined;
      readonly argument?: Word | undefined;
    }
  | { readonly kind: 'command'; readonly list: List; readonly quoted: boolean }
  | { readonly kind: 'arithmetic'; readonly expression: Word };

export interface Word {
  readonly parts: readonly WordPart[];
}

export interface Redirect {
  /** -1 means 1 and 2 together (`&>`). */
  readonly fd: number;
  readonly operator: '<' | '>' | '>>' | '>&' | '<&' | '<<';
  /** A file, a number for `>&`, or the text of a here-document. */
  readonly target: Word;
}

export type Command =
  | {
      readonly kind: 'simple';
      readonly assignments: readonly { readonly name: string; readonly value: Word }[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly test: List; readonly body: List }[];
      readonly otherwise: List | undefined;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'for';
      readonly name: string;
      /** Undefined means "$@". */
      readonly words: readonly Word[] | undefined;
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'while';
      readonly until: boolean;
      readonly test: List;
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'case';
      readonly word: Word;
      readonly branches: readonly { readonly patterns: readonly Word[]; readonly body: List }[];
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: 'group';
      readonly subshell: boolean;
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Command };

export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/** Pipelines joined by `&&` and `||`; `background` for a list that ends with `&`. */
export interface AndOr {
  readonly first: Pipeline;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[];
  readonly background: boolean;
}

export type List = readonly AndOr[];

/** The script cannot be read; the shell says so and ends with 2. */
export class SyntaxProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SyntaxProblem';
  }
}
