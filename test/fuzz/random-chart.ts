import { type Random, randomInteger } from '@/lib/random/random';

const VALUES = [
  'a: 1',
  'a: {b: {c: x}}',
  'a: [1, {b: 2}]',
  'a: "{{ .Values.b }}"',
  'b: null',
  'c: true',
  'b: {}',
  '- 1',
  'a: [',
  '? x',
  'global: {a: 1}',
  'd: 1e400',
  'e: "\u0000"',
  'a: &x [*x]',
  'f: 99999999999999999999',
];

/** Each of these takes the whole budget of a rendering, so that few charts have one. */
const BOMBS = ['{{ range until 100000 }}x{{ end }}', '{{ repeat 10000000 "x" }}'];

const PIECES = [
  'a: {{ .Values.a }}',
  '{{ include "x" . }}',
  '{{ include "x" . | nindent 4 }}',
  '{{ include (print .Values.a) . }}',
  '{{ template "x" .Values.a }}',
  '{{ if .Values.c }}b: 1{{ else if .Values.a.b.c }}d: 2{{ end }}',
  '{{ range $k, $v := .Values.a }}{{ $k }}: {{ $v | quote }}\n{{ end }}',
  '{{ range .Values }}x{{ end }}',
  '{{ with .Values.a }}e: {{ .b }}{{ $.Values.c }}{{ end }}',
  '{{ tpl .Values.a . }}',
  '{{ tpl "{{ tpl .Values.a . }}" . }}',
  '{{ toYaml .Values | indent 2 }}',
  '{{ $x := .Values.a }}{{ $x = 1 }}f: {{ $x }}',
  '{{ $x }}',
  '{{ .Release.Name }}{{ .Chart.Name }}{{ .Capabilities.KubeVersion.Minor }}{{ .Files.Get "a" }}{{ .Files.Glob "*" }}',
  '{{ .Subcharts.a.Values.b }}',
  '{{ required "x" .Values.z }}',
  '{{ fail "no" }}',
  '{{ lookup "v1" "Pod" "" "" }}',
  '{{ index .Values "a" "b" 3 }}',
  '{{ .Values.a.b.c.d.e }}',
  '{{ define "x" }}g: {{ include "x" . }}{{ end }}',
  '{{ define "x" }}g: {{ .Values.a }}{{ end }}',
  '{{ define "x" }}{{ include "y" . }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ include "z" . }}{{ include "z" . }}{{ end }}{{ define "z" }}{{ .Values.c }}{{ end }}',
  '{{ regexMatch "(a+)+$" .Values.a }}',
  '{{ set .Values "a" . }}',
  '{{ dict "a" . | toJson }}',
  '{{ and .Values.a (not .Values.b) | ternary 1 2 }}',
  '{{ printf "%s" .Values.a | b64enc | sha256sum }}',
  '{{ (dict "a" .Values.a).a }}',
  '{{ . }}',
  '{{ $ }}',
  '{{',
  '}}',
  '---',
  'kind: Namespace',
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}',
  '"helm.sh/hook": post-install, odd',
  '\u{fdd0}\u0001',
];

/** The files of a chart that is made of pieces: some convert, most have problems. */
export function randomChart(random: Random): Map<string, string> {
  const pick = (items: readonly string[]): string => items[randomInteger(random, items.length)] ?? '';
  const some = (items: readonly string[], most: number): string =>
    Array.from({ length: randomInteger(random, most + 1) }, () => pick(items)).join('\n');
  const files = new Map([
    [
      'Chart.yaml',
      pick(['name: x\nversion: 1.0.0', 'name: x\nappVersion: 1.10', 'name: X_\nversion: a', 'x', 'name: [x]']),
    ],
    ['values.yaml', some(VALUES, 3)],
    ['templates/_helpers.tpl', some(PIECES, 2)],
    ['templates/a.yaml', some(PIECES, 4)],
  ]);
  if (randomInteger(random, 4) === 0) {
    files.set('charts/sub/Chart.yaml', 'name: sub\nversion: 1.0.0');
    files.set('charts/sub/values.yaml', some(VALUES, 2));
    files.set('charts/sub/templates/b.yaml', some(PIECES, 3));
  }
  if (randomInteger(random, 400) === 0) files.set('templates/b.yaml', pick(BOMBS));
  if (randomInteger(random, 8) === 0)
    files.set('values.schema.json', pick(['{}', '{"properties": {"a": 1}}', '[', 'null']));
  return files;
}
