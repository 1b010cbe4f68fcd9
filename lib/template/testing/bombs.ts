/**
 * Templates that exceed their budget: each ends with an error of kind `budget` (or `parse`, or `exec` where Go itself refuses)
 * that names the line, long before it costs seconds or memory. `line` is the line of the error.
 */
export interface Bomb {
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

const bomb = (name: string, text: string, line = 2): Bomb => ({ name, text: `a: 1\n${text}\n`, line });
const doubling = (start: string, double: string, end: string): string =>
  `{{ $x := ${start} }}{{ range until 64 }}{{ $x = ${double} }}{{ end }}{{ ${end} }}`;

export const BOMBS: readonly Bomb[] = [
  bomb('repeat', '{{ repeat 1000000000 "x" }}'),
  bomb('repeat of repeat', '{{ repeat 30000 (repeat 30000 "x") }}'),
  bomb('indent', '{{ indent 1000000000 "x" }}'),
  bomb('nindent of many lines', '{{ nindent 1000000 (repeat 100000 "\\n") }}'),
  bomb('until', '{{ until 1000000000 }}'),
  bomb('range over until', '{{ range until 1000000000 }}x{{ end }}'),
  bomb('untilStep', '{{ range untilStep 0 2000000000 1 }}x{{ end }}'),
  bomb('range over an integer', '{{ range 1000000000 }}x{{ end }}'),
  bomb('range over an integer without output', '{{ range 1000000000 }}{{ end }}'),
  bomb('nested ranges', '{{ range until 10000 }}{{ range until 10000 }}{{ end }}{{ end }}'),
  bomb('nested ranges of integers', '{{ range 100000 }}{{ range 100000 }}{{ $x := . }}{{ end }}{{ end }}'),
  bomb('seq', '{{ seq 1000000000 }}'),
  bomb('printf width', '{{ printf "%999999d%999999d" 1 2 }}'),
  bomb('printf star width', '{{ printf "%*d%*d" 1000000 1 1000000 2 }}'),
  bomb('printf precision', '{{ printf "%.999999f%.999999f" 1.5 1.5 }}'),
  bomb('printf of a large exponent', '{{ range until 100000 }}{{ $x := printf "%.9999f" 1e300 }}{{ end }}'),
  bomb('randAlpha', '{{ randAlpha 1000000000 }}'),
  bomb('randAlphaNum in a loop', '{{ range until 100000 }}{{ $x := randAlphaNum 100000 }}{{ end }}'),
  bomb('randBytes', '{{ randBytes 1000000000 }}'),
  bomb('shuffle', '{{ range until 1000 }}{{ $x := shuffle (repeat 100000 "x") }}{{ end }}'),
  bomb('genPrivateKey in a loop', '{{ range until 1000 }}{{ $x := genPrivateKey "ecdsa" }}{{ end }}'),
  bomb('derivePassword in a loop', '{{ range until 1000 }}{{ $x := derivePassword 1 "long" "a" "b" "c" }}{{ end }}'),
  bomb('bcrypt in a loop', '{{ range until 1000 }}{{ $x := bcrypt "x" }}{{ end }}'),
  bomb('self-including template', '{{ define "r" }}{{ template "r" }}{{ end }}{{ template "r" }}'),
  bomb('exponential templates', exponentialTemplates(30)),
  bomb('doubling text', doubling('"x"', 'print $x $x', 'len $x')),
  bomb('doubling with replace', doubling('"xx"', 'replace "x" "xx" $x', 'len $x')),
  bomb('doubling list that is printed', doubling('list 1', 'list $x $x', '$x')),
  bomb('doubling list as JSON', doubling('list 1', 'list $x $x', 'toJson $x')),
  bomb('doubling list as YAML', doubling('list 1', 'list $x $x', 'toYaml $x')),
  bomb('doubling list that is copied', doubling('list 1', 'list $x $x', 'deepCopy $x | len')),
  bomb(
    'doubling lists that are compared',
    `{{ $y := list 1 }}${doubling('list 1', 'list $x $x', 'len $x')}{{ range until 64 }}{{ $y = list $y $y }}{{ end }}{{ $z := list 1 }}{{ range until 64 }}{{ $z = list $z $z }}{{ end }}{{ deepEqual $y $z }}`,
  ),
  bomb('growing concat', doubling('list 1 2', 'concat $x $x', 'len $x')),
  bomb('dictionary in itself, printed', '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}'),
  bomb('dictionary in itself, as JSON', '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toPrettyJson $d }}'),
  bomb(
    'dictionary in itself, merged',
    '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ merge (dict "d" (dict "d" (dict))) $d }}',
  ),
  bomb('quadratic append', '{{ $l := list }}{{ range until 100000 }}{{ $l = append $l . }}{{ end }}'),
  bomb('quadratic uniq', '{{ uniq (untilStep 0 100000 1) }}'),
  bomb('wrapWith', '{{ wrapWith 1 (repeat 10000 "x") (repeat 10000 "y") }}'),
  bomb('join', '{{ join (repeat 10000 "x") (until 100000) }}'),
  bomb('replace of nothing', '{{ replace "" (repeat 10000 "x") (repeat 10000 "y") }}'),
  bomb(
    'backtracking pattern in a loop',
    '{{ range until 100000 }}{{ $x := regexMatch "^(a+)+$" (printf "%sX" (repeat 5000 "a")) }}{{ end }}',
  ),
  bomb('large pattern', '{{ range until 100000 }}{{ $x := regexMatch "(a{0,30}){0,30}b" (repeat 5000 "a") }}{{ end }}'),
  bomb('regexReplaceAll', '{{ regexReplaceAll "" (repeat 10000 "y") (repeat 10000 "x") }}'),
  bomb('nested parentheses', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`),
  bomb('nested blocks', '{{ if true }}'.repeat(100_000)),
  bomb(
    'deep JSON',
    '{{ fromJson (printf "%s1%s" (repeat 50000 "[") (repeat 50000 "]")) | len }}{{ mustFromJson (printf "%s1%s" (repeat 5000 "[") (repeat 5000 "]")) }}',
  ),
  bomb('sorting', '{{ range until 1000 }}{{ $x := sortAlpha (untilStep 0 50000 1) }}{{ end }}'),
  bomb(
    'mulf of large numbers',
    '{{ $x := 1e300 }}{{ range until 1000000 }}{{ $x = mulf $x 1e-1 }}{{ $x = addf 1e300 1e-300 }}{{ end }}',
  ),
  bomb('date layout', '{{ now | date (repeat 1000000 "January") }}'),
];

/** t0 calls t1 twice, which calls t2 twice, and so on. */
function exponentialTemplates(levels: number): string {
  const defines = Array.from(
    { length: levels },
    (_, level) => `{{ define "t${level}" }}{{ template "t${level + 1}" }}{{ template "t${level + 1}" }}{{ end }}`,
  );
  return `${defines.join('')}{{ define "t${levels}" }}{{ end }}\n{{ template "t0" }}`;
}
