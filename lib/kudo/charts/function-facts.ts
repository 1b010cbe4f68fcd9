/** Functions that take the text of a number or boolean as well, with the same result. */
export const TAKES_TEXT = new Set(['int', 'int64', 'float64', 'quote', 'squote', 'toString']);

/** Names of Helm for which KUDO has another one. */
export const RENAMED = new Map([
  ['base', 'osBase'],
  ['dir', 'osDir'],
  ['clean', 'osClean'],
  ['ext', 'osExt'],
  ['isAbs', 'osIsAbs'],
]);

/** Functions of Helm that packages do not have. */
export const NOT_IN_KUDO = new Set(['fromYaml', 'fromYamlArray', 'fromJsonArray', 'toToml']);

/** Functions that change their first argument. What the values are is known before a package is rendered, and cannot change. */
export const CHANGES_VALUES = new Set(['set', 'unset', 'merge', 'mergeOverwrite', 'mustMerge', 'mustMergeOverwrite']);

/** Functions whose text is one line, and those whose text is one if their arguments are. */
export const LINE = new Set(
  'quote squote int int64 float64 b64enc sha256sum add sub mul div max min len not eq ne lt le gt ge contains hasPrefix hasSuffix empty kebabcase snakecase camelcase nospace randAlphaNum toJson'.split(
    ' ',
  ),
);
export const LINE_OF_LINES = new Set(
  'toString trunc trimSuffix trimPrefix lower upper replace and or default ternary coalesce join trim title print printf'.split(
    ' ',
  ),
);
