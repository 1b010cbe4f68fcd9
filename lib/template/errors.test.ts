import { describe, expect, it } from 'vitest';
import { TerminalError } from '@/lib/errors/errors';
import { renderError } from './testing/render';

/** Template, and Go's message without `template: t:`. */
type Row = readonly [template: string, message: string];

const PARSE: readonly Row[] = [
  ['a\n{{ .x', '2: unclosed action'],
  ['{{ if true }}', '1: unexpected EOF'],
  ['a\nb {{ end }}', '2: unexpected {{end}}'],
  ['{{ if }}x{{ end }}', '1: missing value for if'],
  ['{{ else }}', '1: unexpected {{else}}'],
  ['{{ $x }}', '1: undefined variable "$x"'],
  ['{{ nosuch 1 }}', '1: function "nosuch" not defined'],
  ['{{ "open }}', '1: unterminated quoted string'],
  ['{{ `open }}', '1: unterminated raw quoted string'],
  ['{{ (1 }}', '1: unclosed left paren'],
  ['{{ 1) }}', '1: unexpected right paren'],
  ['{{ 1abc }}', '1: bad number syntax: "1a"'],
  ['{{ 99999999999999999999 }}', '1: integer overflow: "99999999999999999999"'],
  ['{{ @ }}', '1: unexpected "@" in command'],
  ['{{ "a" | "b" }}', '1: non executable command in pipeline stage 2'],
  ['{{ break }}', '1: {{break}} outside {{range}}'],
  ['{{ define x }}{{ end }}', '1: unexpected "x" in define clause'],
  ['{{ define "x" }}1{{ end }}{{ define "x" }}2{{ end }}', '1: template: multiple definition of template "x"'],
  ['{{/* open', '1: unclosed comment'],
  ['{{ range $a, $b, $c := .x }}{{ end }}', '1: too many declarations in range'],
  ['{{ a\0 }}', '1: bad character U+0000'],
  ['{{ a😀 }}', "1: bad character U+1F600 '😀'"],
  ['{{ \u0001 }}', '1: unrecognized character in action: U+0001'],
  ['{{ block "b" . }}\n{{ else }}{{ end }}', '1: unexpected {{else}} in block clause'],
  ['{{ define "d" }}\n{{ else }}{{ end }}', '2: unexpected {{else}} in define clause'],
];

const EXECUTION: readonly Row[] = [
  ['x\n  {{ .Nope }}', '2:5: executing "t" at <.Nope>: map has no entry for key "Nope"'],
  ['{{ .a.b.c }}', '1:5: executing "t" at <.a.b.c>: map has no entry for key "b"'],
  ['{{ .s.x }}', '1:5: executing "t" at <.s.x>: can\'t evaluate field x in type interface {}'],
  ['{{ .n.x }}', '1:5: executing "t" at <.n.x>: nil pointer evaluating interface {}.x'],
  ['{{ if .Nope }}{{ end }}', '1:6: executing "t" at <.Nope>: map has no entry for key "Nope"'],
  ['{{ upper 1 }}', '1:9: executing "t" at <1>: expected string; found 1'],
  ['{{ upper }}', '1:3: executing "t" at <upper>: wrong number of args for upper: want 1 got 0'],
  ['{{ .l | upper }}', '1:8: executing "t" at <upper>: wrong type for value; expected string; got []interface {}'],
  ['{{ repeat .f "x" }}', '1:10: executing "t" at <.f>: wrong type for value; expected int; got float64'],
  ['{{ index .l 7 }}', '1:3: executing "t" at <index .l 7>: error calling index: index out of range: 7'],
  ['{{ div 1 0 }}', '1:3: executing "t" at <div 1 0>: error calling div: runtime error: integer divide by zero'],
  ['{{ lt 1 "a" }}', '1:3: executing "t" at <lt 1 "a">: error calling lt: incompatible types for comparison'],
  ['{{ eq 1 1.0 }}', '1:3: executing "t" at <eq 1 1.0>: error calling eq: incompatible types for comparison'],
  ['{{ range .f }}{{ end }}', '1:9: executing "t" at <.f>: range can\'t iterate over 2.5'],
  ['{{ fail "stop" }}', '1:3: executing "t" at <fail "stop">: error calling fail: stop'],
  ['{{ template "x" }}', '1:12: executing "t" at <{{template "x"}}>: template "x" not defined'],
  ['{{ nil }}', '1:3: executing "t" at <nil>: nil is not a command'],
  ['{{ 1 2 }}', '1:3: executing "t" at <1>: can\'t give argument to non-function 1'],
  [
    '{{ define "d" }}\n{{ .q }}{{ end }}{{ template "d" . }}',
    '2:3: executing "d" at <.q>: map has no entry for key "q"',
  ],
  ['{{ range .l }}{{ .x }}{{ end }}', '1:17: executing "t" at <.x>: can\'t evaluate field x in type interface {}'],
  [
    '{{ range $i, $v := .l }}{{ $v.x }}{{ end }}',
    '1:29: executing "t" at <$v.x>: can\'t evaluate field x in type interface {}',
  ],
  [
    '{{ range .l }}{{ with . }}{{ .x }}{{ end }}{{ end }}',
    '1:29: executing "t" at <.x>: can\'t evaluate field x in type string',
  ],
  [
    '{{ range splitList "," "a" }}{{ .x }}{{ end }}',
    '1:32: executing "t" at <.x>: can\'t evaluate field x in type string',
  ],
  ['{{ range .z }}{{ .x }}{{ end }}', '1:17: executing "t" at <.x>: nil pointer evaluating interface {}.x'],
  ['{{ $x := $x 1 }}', '1:9: executing "t" at <$x>: undefined variable: $x'],
  ['{{ (eq .s nil).a }}', '1:10: executing "t" at <nil>: can\'t evaluate field a in type bool'],
  ['{{ .s | call }}', '1:8: executing "t" at <call>: error calling call: non-function text of type string'],
  ['{{ .f | call }}', '1:8: executing "t" at <call>: error calling call: non-function <float64 Value> of type float64'],
  [
    '{{ eq .a .m }}',
    '1:3: executing "t" at <eq .a .m>: error calling eq: non-comparable type map[k:%!s(float64=1)]: map[string]interface {}',
  ],
  ['{{ keys .p }}', '1:8: executing "t" at <.p>: map has no entry for key "p"'],
];

const values = { a: {}, s: 'text', n: null, l: ['x'], z: [null], m: { k: 1 }, f: 2.5 };

describe('an error of a template', () => {
  it.each(PARSE)('says what Go says when it is read: %s', (template, message) => {
    const error = renderError(template, values);
    expect(error.goMessage).toBe(`template: t:${message}`);
    expect(error.failure).toBe('parse');
    expect(error.place).toEqual({ template: 't', line: Number(message.split(':')[0]), column: -1 });
  });

  it.each(EXECUTION)('says what Go says when it is carried out: %s', (template, message) => {
    const error = renderError(template, values);
    const [line, column] = message.split(':').map(Number);
    expect(error.goMessage).toBe(`template: t:${message}`);
    expect(error.failure).toBe('exec');
    expect(error.place).toEqual({ template: 't', line, column });
  });

  it('is terminal, and its message is cut to a kilobyte', () => {
    const error = renderError(`{{ fail "${'x'.repeat(5_000)}" }}`);
    expect(error).toBeInstanceOf(TerminalError);
    expect(error.message.length).toBeLessThanOrEqual(1_024);
    expect(error.goMessage.length).toBeGreaterThan(5_000);
  });

  it('counts columns in bytes', () => {
    expect(renderError('é{{ .Nope }}').place).toEqual({ template: 't', line: 1, column: 5 });
  });
});
