import { describe, expect, it } from 'vitest';
import { renderError, renderTemplateText } from './testing/render';

/** Template and output: surprising results of Go and its libraries. Every row was generated with them. */
const OUTPUTS: readonly (readonly [template: string, output: string])[] = [
  // Numbers and lists.
  ['{{ atoi "9223372036854775808" }} {{ atoi "x" }}', '9223372036854775807 0'],
  ['{{ chunk -10 (list 1) }} {{ chunk -10 (list 1 2) }}', '[[1]] []'],
  // Words.
  ['{{ camelcase "_" }}|{{ camelcase "  " }}', '__|   '],
  ['{{ snakecase "#-a" }} {{ snakecase "[-_a]" }} {{ kebabcase "a.-b" }}', '#-a [-_a] a.-b'],
  ['{{ snakecase "a\\ufffd" }}', 'a\ufffd'],
  // Formats.
  ['{{ printf "%+12w %#w" 15 "a" }}', '%!w(int=          15) %!w(string="a")'],
  ['{{ printf "%#q" "\\ufffd" }}', '`\ufffd`'],
  [
    '{{ printf "%#v" (toDate "2006-01-02" "2020-02-29") }}',
    'time.Date(2020, time.February, 29, 0, 0, 0, 0, time.Local)',
  ],
  ['{{ toJson (dateModify "24h" (toDate "2006-01-02" "9999-12-31")) }}', ''],
  // YAML: the separators of lines are line breaks, long keys begin lists beside them, binary data are folded.
  ['{{ toYaml "a\\u2028b" }}', "'a\u2028  b'\n"],
  ['{{ toYaml "\\u2028a\\n" }}', '|2\n\u2028  a\n'],
  ['{{ toYaml (dict "a\\nb" (list 1 (list 2))) }}', '? |-\n  a\n  b\n: - 1\n  - - 2\n'],
  ['{{ toYaml (list (dict "a\\nb" (dict "c" 1 "d" 2))) }}', '- ? |-\n    a\n    b\n  : c: 1\n    d: 2\n'],
  ['{{ toYaml "\\ufeffa" }}', '"\\uFEFF\\x61"\n'],
  ['{{ b64dec "null" | toYaml }}', '!!binary null\n'],
  [
    '{{ printf "%60s\\xff" "" | toYaml }}',
    '!!binary |\n  ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC\n  AgICAgICAg/w==\n',
  ],
];

/** Template and the end of the message. */
const FAILURES: readonly (readonly [template: string, message: string])[] = [
  ['{{ semverCompare "x y" "z" }}', 'improper constraint: x y'],
  ['{{ mustRegexMatch "a\\xff" "a" }}', 'error parsing regexp: invalid UTF-8: `\ufffd`'],
  ['{{ mustRegexMatch "\\\\" "a" }}', 'trailing backslash at end of expression: ``'],
  ['{{ mustFromJson "1.2.3" }}', "invalid character '.' after top-level value"],
  ['{{ mustFromJson "1e5e" }}', "invalid character 'e' after top-level value"],
  ['{{ mustFromJson "[\\"1e500\\", 1e400]" }}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
  ['{{ mustToDate "2006" "é\\n" }}', 'cannot parse "\\xc3\\xa9\\x0a" as "2006"'],
  ['{{ mustDateModify "1é" now }}', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ['{{ divf 1 0 "1e999" }}', 'decimal division by 0'],
  ['{{ b32dec "AA\\n!!" | fail }}', 'illegal base32 data at input byte 2'],
];

describe('an odd rendering', () => {
  it.each(OUTPUTS)('%s gives %j', (template, output) => {
    expect(renderTemplateText(template)).toBe(output);
  });

  it.each(FAILURES)('%s fails: %s', (template, message) => {
    expect(renderError(template).message.endsWith(message)).toBe(true);
  });

  it('shows a time that is further than any calendar', () => {
    expect(renderTemplateText('{{ htmlDateInZone 9223372036854775807 "Europe/Berlin" | len }}')).not.toBe('0');
  });
});
