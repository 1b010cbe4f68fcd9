import { describe, expect, it } from 'vitest';
import { renderError, renderTemplateText } from './testing/render';

/** Expression and what it prints, in Sprig 3.3. */
type Row = readonly [expression: string, output: string];

const STRINGS: readonly Row[] = [
  ['upper "straße"', 'STRAßE'],
  ['title "hello big-world"', 'Hello Big-World'],
  ['untitle "Hello World"', 'hello world'],
  ['trim " \\t x \\n"', 'x'],
  ['trimAll "-" "--a-b--"', 'a-b'],
  ['trimSuffix ".yaml" "a.yaml"', 'a'],
  ['trimPrefix "v" "v1"', '1'],
  ['trunc 3 "abcdef"', 'abc'],
  ['trunc -2 "abcdef"', 'ef'],
  ['substr 1 3 "abcdef"', 'bc'],
  ['abbrev 6 "abcdefgh"', 'abc...'],
  ['abbrevboth 5 10 "abcdefghijklmnop"', '...fghi...'],
  ['nospace "a b\\tc"', 'abc'],
  ['initials "Go Template Engine"', 'GTE'],
  ['swapcase "aB c"', 'Ab C'],
  ['snakecase "HTTPServerPort"', 'http_server_port'],
  ['kebabcase "fooBar baz"', 'foo-bar-baz'],
  ['camelcase "foo_bar-baz"', 'FooBarBaz'],
  ['repeat 3 "ab"', 'ababab'],
  ['indent 2 "a\\nb"', '  a\n  b'],
  ['nindent 2 "a"', '\n  a'],
  ['replace "a" "b" "banana"', 'bbnbnb'],
  ['replace "" "-" "ab"', '-a-b-'],
  ['contains "b" "abc"', 'true'],
  ['hasPrefix "a" "abc"', 'true'],
  ['plural "one" "many" 2', 'many'],
  ['wrap 5 "aaa bbb ccc"', 'aaa\nbbb\nccc'],
  ['wrapWith 4 "|" "abcdefgh ij"', 'abcd|efgh|ij'],
  ['quote "a" nil 1', '"a" "1"'],
  ['squote "a" 1', "'a' '1'"],
  ['cat "a" nil 1 true', 'a 1 true'],
  ['join "-" (list 1 "b" nil)', '1-b'],
  ['splitList "," "a,b" | last', 'b'],
  ['(split "," "a,b")._1', 'b'],
  ['(splitn "," 2 "a,b,c")._1', 'b,c'],
  ['sortAlpha (list "b" "a" 3)', '[3 a b]'],
  ['hello', 'Hello!'],
];

const NUMBERS: readonly Row[] = [
  ['add 1 "2" 3.9', '6'],
  ['sub 1 3', '-2'],
  ['div -7 2', '-3'],
  ['mod -7 3', '-1'],
  ['mul 2 3 4', '24'],
  ['add1 9223372036854775807', '-9223372036854775808'],
  ['max 1 5 3', '5'],
  ['min 4 2 8', '2'],
  ['addf 0.1 0.2', '0.3'],
  ['divf 10 3', '3.3333333333333335'],
  ['round 2.345 2', '2.35'],
  ['ceil 1.2', '2'],
  ['floor -1.2', '-2'],
  ['int "0x1F"', '31'],
  ['int 1e30', '-9223372036854775808'],
  ['float64 "1.5"', '1.5'],
  ['atoi "12a"', '0'],
  ['toDecimal "755"', '493'],
  ['until 3', '[0 1 2]'],
  ['untilStep 3 0 -1', '[3 2 1]'],
  ['seq 1 2 7', '1 3 5 7'],
  ['maxf 1.5 2', '2'],
];

const COLLECTIONS: readonly Row[] = [
  ['first (list 1 2)', '1'],
  ['rest (list 1 2 3)', '[2 3]'],
  ['initial (list 1 2 3)', '[1 2]'],
  ['append (list 1) 2', '[1 2]'],
  ['prepend (list 1) 2', '[2 1]'],
  ['concat (list 1) (list 2)', '[1 2]'],
  ['reverse (list 1 2)', '[2 1]'],
  ['uniq (list 1 1 2 "2")', '[1 2 2]'],
  ['without (list 1 2 3) 2', '[1 3]'],
  ['has 2 (list 1 2)', 'true'],
  ['compact (list 0 1 "" "a")', '[1 a]'],
  ['slice (list 1 2 3) 1 2', '[2]'],
  ['chunk 2 (list 1 2 3)', '[[1 2] [3]]'],
  ['dict "a" 1 "b"', 'map[a:1 b:]'],
  ['get (dict "a" 1) "a"', '1'],
  ['set (dict "a" 1) "b" 2', 'map[a:1 b:2]'],
  ['unset (dict "a" 1 "b" 2) "a"', 'map[b:2]'],
  ['hasKey (dict "a" 1) "b"', 'false'],
  ['pluck "a" (dict "a" 1) (dict "a" 2)', '[1 2]'],
  ['pick (dict "a" 1 "b" 2) "a"', 'map[a:1]'],
  ['omit (dict "a" 1 "b" 2) "a"', 'map[b:2]'],
  ['keys (dict "b" 1) | len', '1'],
  ['merge (dict "a" 1 "m" (dict "x" 1)) (dict "a" 2 "m" (dict "y" 2))', 'map[a:1 m:map[x:1 y:2]]'],
  ['mergeOverwrite (dict "a" 1) (dict "a" 2)', 'map[a:2]'],
  ['dig "a" "b" "none" (dict "a" (dict "b" 1))', '1'],
  ['deepEqual (list 1) (list 1)', 'true'],
  ['default "d" ""', 'd'],
  ['coalesce "" 0 "x"', 'x'],
  ['ternary "y" "n" false', 'n'],
  ['empty (dict)', 'true'],
  ['typeOf 1', 'int'],
  ['kindOf (list)', 'slice'],
  ['all 1 "a"', 'true'],
  ['any 0 ""', 'false'],
];

const ENCODINGS: readonly Row[] = [
  ['b64enc "héllo"', 'aMOpbGxv'],
  ['b64dec "aMOpbGxv"', 'héllo'],
  ['b32enc "ab"', 'MFRA===='],
  ['toJson (dict "b" (list 1 nil) "a" "<x>")', '{"a":"\\u003cx\\u003e","b":[1,null]}'],
  ['toRawJson "<x>"', '"<x>"'],
  ['toPrettyJson (dict "a" 1)', '{\n  "a": 1\n}'],
  ['(fromJson "{\\"a\\":[1,2]}").a', '[1 2]'],
  [
    'toYaml (dict "a" (list "x" "yes" "1" 1 true nil) "b" (dict))',
    'a:\n- x\n- "yes"\n- "1"\n- 1\n- true\n- null\nb: {}\n',
  ],
  ['toYaml "a\\nb\\n"', '|\n  a\n  b\n'],
  ['toYaml (dict "a10" 1 "a9" 2)', 'a9: 2\na10: 1\n'],
  ['urlquery "a=b"', 'a%3Db'],
  ['(urlParse "http://u:p@h:1/p?q#f").hostname', 'h'],
  ['urlJoin (dict "scheme" "http" "host" "h" "path" "/p")', 'http://h/p'],
  ['osBase "/a/b.c"', 'b.c'],
  ['osClean "a/../b//c"', 'b/c'],
  ['osDir "/a/b"', '/a'],
  ['osExt "x.tar.gz"', '.gz'],
];

const PATTERNS: readonly Row[] = [
  ['regexMatch "^a+$" "aaa"', 'true'],
  ['regexMatch "(" "a"', 'false'],
  ['regexFind "[0-9]+" "ab12c"', '12'],
  ['regexFindAll "[a-c]" "abcd" -1', '[a b c]'],
  ['regexReplaceAll "(a)(b)" "ab" "$2$1"', 'ba'],
  ['regexReplaceAllLiteral "a" "banana" "$0"', 'b$0n$0n$0'],
  ['regexSplit "," "a,b,c" 2', '[a b,c]'],
  ['regexQuoteMeta "a.b"', 'a\\.b'],
  ['semverCompare "^1.2" "1.9.0"', 'true'],
  ['semverCompare ">=1.2.0, <2.0.0 || 3.x" "3.4.5"', 'true'],
  ['semverCompare ">1.0.0" "1.1.0-beta"', 'false'],
  ['(semver "v1.2.3-rc.1+b").Prerelease', 'rc.1'],
  ['(semver "1.2.3").IncMinor', '1.3.0'],
];

const DATES: readonly Row[] = [
  ['now | date "2006-01-02 15:04:05"', '2023-11-14 22:13:20'],
  ['dateInZone "15:04 MST" now "Europe/Berlin"', '23:13 CET'],
  ['dateInZone "2006-01-02 -0700" now "America/Los_Angeles"', '2023-11-14 -0800'],
  ['toDate "02.01.2006" "03.02.2020" | date "Mon Jan _2 2006"', 'Mon Feb  3 2020'],
  ['now | dateModify "-1h30m" | date "15:04"', '20:43'],
  ['htmlDate now', '2023-11-14'],
  ['unixEpoch now', '1700000000'],
  ['now | dateModify "-90s" | ago', '1m30s'],
  ['duration "3661"', '1h1m1s'],
  ['durationRound "2400h10m5s"', '3mo'],
  ['(toDate "2006-01-02" "2020-02-29").Weekday', 'Saturday'],
  ['((toDate "2006-01-02" "2020-01-31").AddDate 0 1 0).Format "01-02"', '03-02'],
];

describe.each([
  ['texts', STRINGS],
  ['numbers', NUMBERS],
  ['collections', COLLECTIONS],
  ['encodings', ENCODINGS],
  ['patterns and versions', PATTERNS],
  ['dates', DATES],
] as const)('functions for %s', (_, rows) => {
  it.each(rows)('%s', (expression, output) => {
    expect(renderTemplateText(`{{ ${expression} }}`)).toBe(output);
  });
});

describe('functions in KUDO 0.19', () => {
  it.each([
    ['int "010"', '10'],
    ['camelcase "NoHTTPS"', 'Nohttps'],
    ['semverCompare "<2" "2.0.0"', 'true'],
    ['merge (dict "a" "s") (dict "a" 1)', ''],
    ['(semver "1.2.3").IncPatch', '{1 2 4   1.2.4}'],
  ] as const)('gave another result: %s', (expression, output) => {
    expect(renderTemplateText(`{{ ${expression} }}`, {}, { compatibility: 'kudo019' })).toBe(output);
  });

  it('were fewer', () => {
    const error = renderError('{{ mustToJson 1 }}', {}, { compatibility: 'kudo019' });
    expect(error.goMessage).toBe('template: t:1: function "mustToJson" not defined');
  });
});
