import { describe, expect, it } from 'vitest';
import { renderTemplateText } from './testing/render';

const values = {
  Name: 'redis',
  count: 3,
  price: 2.5,
  million: 1_000_000,
  on: true,
  off: false,
  none: null,
  text: 'über',
  hosts: ['a', 'b', 'c'],
  mixed: [1, 'x', null, [2], { k: 'v' }],
  empty: [],
  labels: { tier: 'cache', app: 'redis' },
  'a-b': 'dash',
  Params: { PORT: '6379', LIST: ['x', 'y'], MAP: { b: 2, a: 1 } },
  Pipes: { cert: 'redis.cert' },
};

/** Template and the output of Go's text/template for the values above. */
type Row = readonly [template: string, output: string];

const TEXT: readonly Row[] = [
  ['plain', 'plain'],
  ['', ''],
  ['a{{/* note */}}b', 'ab'],
  ['a {{- /* note */ -}} b', 'ab'],
  ['a {{- "x" -}} \n b', 'axb'],
  ['a {{ "x" -}}\n\t b', 'a xb'],
  ['{{"{{"}} }}', '{{ }}'],
  ['{{ `raw "text"` }}', 'raw "text"'],
  ['{{ "tab\\tquote\\" \\u00e9 \\x41" }}', 'tab\tquote" é A'],
];

const LITERALS: readonly Row[] = [
  ['{{ 1 }} {{ -1 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }} {{ 017 }} {{ 1_000 }}', '1 -1 31 5 15 15 1000'],
  ['{{ 1.0 }} {{ 1.50 }} {{ 1e6 }} {{ 1e3 }} {{ .5 }}', '1 1.5 1e+06 1000 0.5'],
  ["{{ 'a' }} {{ '\\n' }} {{ 'é' }}", '97 10 233'],
  ['{{ 2i }} {{ 1+2i }}', '(0+2i) (1+2i)'],
  ['{{ true }} {{ false }}', 'true false'],
];

const FIELDS: readonly Row[] = [
  ['{{ .Name }}', 'redis'],
  ['{{ .Params.PORT }}', '6379'],
  ['{{ $.Params.PORT }}', '6379'],
  ['{{ (.Params).PORT }}', '6379'],
  ['{{ index .Params "PORT" }}', '6379'],
  ['{{ index .Params "NOPE" }}', '<no value>'],
  ['{{ index .hosts 1 }}{{ index .mixed 3 0 }}', 'b2'],
  ['{{ index . "a-b" }}', 'dash'],
  ['{{ .none }}', '<no value>'],
  ['{{ .mixed }}', '[1 x <nil> [2] map[k:v]]'],
  ['{{ .labels }} {{ .empty }} {{ .count }} {{ .million }}', 'map[app:redis tier:cache] [] 3 1e+06'],
  ['{{ len .text }} {{ len .hosts }} {{ len .labels }}', '5 3 2'],
  ['{{ printf "%T %T" .Params .Pipes }}', 'map[string]interface {} map[string]string'],
];

const CONTROL: readonly Row[] = [
  ['{{ if .on }}a{{ else }}b{{ end }}', 'a'],
  ['{{ if .off }}a{{ else if .count }}b{{ else }}c{{ end }}', 'b'],
  ['{{ if .empty }}a{{ else }}b{{ end }}{{ if "" }}a{{ else }}c{{ end }}{{ if "false" }}d{{ end }}', 'bcd'],
  ['{{ with .labels }}{{ .app }}{{ end }}', 'redis'],
  ['{{ with .none }}a{{ else with .Name }}{{ . }}{{ else }}c{{ end }}', 'redis'],
  ['{{ with $x := .Name }}{{ $x }}{{ . }}{{ end }}', 'redisredis'],
  ['{{ range .hosts }}[{{ . }}]{{ end }}', '[a][b][c]'],
  ['{{ range $i, $h := .hosts }}{{ $i }}{{ $h }} {{ end }}', '0a 1b 2c '],
  ['{{ range $k, $v := .labels }}{{ $k }}={{ $v }};{{ end }}', 'app=redis;tier=cache;'],
  ['{{ range .empty }}x{{ else }}none{{ end }}{{ range .none }}x{{ else }}nil{{ end }}', 'nonenil'],
  ['{{ range 3 }}{{ . }}{{ end }}{{ range $i := 2 }}{{ $i }}{{ end }}', '01201'],
  ['{{ range .hosts }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}', 'ac'],
  ['{{ range .hosts }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}', 'a'],
  ['{{ range .hosts }}{{ $.Name }}{{ end }}', 'redisredisredis'],
  ['{{ range $i, $e := .empty }}{{ else }}{{ len $e }}{{ end }}', '0'],
];

const VARIABLES: readonly Row[] = [
  ['{{ $x := 1 }}{{ $x }}{{ $x = 2 }}{{ $x }}', '12'],
  ['{{ $x := 1 }}{{ if true }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}', '21'],
  ['{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ end }}{{ $x }}', '2'],
  ['{{ $n := 0 }}{{ range .hosts }}{{ $n = add1 $n }}{{ end }}{{ $n }}', '3'],
  ['{{ $m := .Params }}{{ $m.MAP.a }}', '1'],
  ['{{ $d := toDate "2006-01-02" "2020-05-04" }}{{ $f := "Jan 2" }}{{ $d.Format $f }}', 'May 4'],
];

const TEMPLATES: readonly Row[] = [
  ['{{ define "x" }}<{{ . }}>{{ end }}{{ template "x" .Name }}{{ template "x" 1 }}', '<redis><1>'],
  ['{{ define "x" }}<{{ . }}>{{ end }}{{ template "x" }}', '<<no value>>'],
  ['{{ template "x" . }}{{ define "x" }}{{ .Name }}{{ end }}', 'redis'],
  ['{{ block "x" .count }}{{ . }}{{ end }}', '3'],
  [
    '{{ define "down" }}{{ . }}{{ if gt . 0 }}{{ template "down" (sub . 1 | int) }}{{ end }}{{ end }}{{ template "down" 3 }}',
    '3210',
  ],
];

const PIPELINES: readonly Row[] = [
  ['{{ .Name | upper | printf "%s-%s" "a" }}', 'a-REDIS'],
  ['{{ "x" | repeat 3 }}', 'xxx'],
  ['{{ (list 1 2 | first) | add 1 }}', '2'],
  ['{{ and 1 0 }} {{ and 1 2 }} {{ or 0 "" "x" }} {{ or 0 "" }}!', '0 2 x !'],
  ['{{ or true (index .hosts 9) }} {{ and false (fail "no") }}', 'true false'],
  ['{{ not .on }} {{ not "" }}', 'false true'],
  [
    '{{ eq 1 1 }} {{ eq "a" "b" "a" }} {{ ne 1 2 }} {{ lt 1 2 }} {{ le "a" "a" }} {{ gt 1.5 1.0 }} {{ ge 2 3 }}',
    'true true true true true true false',
  ],
  ['{{ eq .none nil }} {{ eq (semver "1.3.0").Minor 3 }}', 'true true'],
];

const PRINTING: readonly Row[] = [
  ['{{ print 1 2 "a" "b" 3 }} {{ println "x" 1 }}', '1 2ab3 x 1\n'],
  [
    '{{ printf "%d|%5d|%-5d|%05d|%+d|%x|%X|%o|%b|%c|%q|%U" 42 42 42 42 42 255 255 8 5 65 65 65 }}',
    "42|   42|42   |00042|+42|ff|FF|10|101|A|'A'|U+0041",
  ],
  [
    '{{ printf "%s|%5s|%-5s|%.2s|%q|%x|% x|%v" "ab" "ab" "ab" "abc" "a\\"b" "hi" "hi" "v" }}',
    'ab|   ab|ab   |ab|"a\\"b"|6869|68 69|v',
  ],
  [
    '{{ printf "%f|%.2f|%8.3f|%e|%g|%G|%v|%5.1f%%" 1.5 2.345 3.14159 12345.678 1e21 1e-7 0.1 99.95 }}',
    '1.500000|2.35|   3.142|1.234568e+04|1e+21|1E-07|0.1|100.0%',
  ],
  ['{{ printf "%t|%v|%T|%T" true nil 1 "x" }}', 'true|<nil>|int|string'],
  ['{{ printf "%#v %#v %+v" .hosts "x" .labels }}', '[]interface {}{"a", "b", "c"} "x" map[app:redis tier:cache]'],
  ['{{ printf "%[2]s %[1]s" "a" "b" }}', 'b a'],
  [
    '{{ printf "%d" "x" }} {{ printf "%s" 1 }} {{ printf "%d" }} {{ printf "x" 1 }}',
    '%!d(string=x) %!s(int=1) %!d(MISSING) x%!(EXTRA int=1)',
  ],
  [
    '{{ html "<a href=\\"x\\">" }} {{ js "it\'s" }} {{ urlquery "a b&c" }}',
    "&lt;a href=&#34;x&#34;&gt; it\\'s a+b%26c",
  ],
];

describe.each([
  ['text', TEXT],
  ['literals', LITERALS],
  ['fields', FIELDS],
  ['control', CONTROL],
  ['variables', VARIABLES],
  ['templates', TEMPLATES],
  ['pipelines', PIPELINES],
  ['printing', PRINTING],
] as const)('the template language: %s', (_, rows) => {
  it.each(rows)('%s', (template, output) => {
    expect(renderTemplateText(template, values)).toBe(output);
  });
});
