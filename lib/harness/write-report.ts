import type { Failure, ReportedRun, Testcase, Testsuite, Testsuites } from './report';
import { makeReport } from './report';
import type { ReportFormat } from './suite';

/** The text of a report's file (KUTTL report/report.go; `tap`: the Test Anything Protocol, version 14). */
export function writeReport(run: ReportedRun, format: ReportFormat, granularity: 'step' | 'test'): string {
  const report = makeReport(run, granularity);
  switch (format) {
    case 'xml':
      return xmlReport(report);
    case 'json':
      return jsonReport(report);
    case 'tap':
      return tapReport(report);
  }
}

type Attributes = readonly (readonly [name: string, value: string | number])[];

/** As Go's xml.MarshalIndent writes it, with one space before each line: no declaration, no self-closing elements. */
function xmlReport(report: Testsuites): string {
  const { name, tests, failures, time } = report;
  const attributes: Attributes = [
    ['name', name],
    ['tests', tests],
    ['failures', failures],
    ['time', time],
  ];
  const children = [
    ...report.testsuite.map(xmlSuite),
    ...(report.failure === undefined ? [] : [xmlFailure(report.failure)]),
  ];
  return indented(element('testsuites', attributes, children));
}

/** An element: its lines, each with its depth. */
type Lines = readonly (readonly [depth: number, text: string])[];

function element(name: string, attributes: Attributes, children: readonly Lines[]): Lines {
  const open = `<${name}${attributes.map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`).join('')}>`;
  if (children.length === 0) return [[0, `${open}</${name}>`]];
  const inner = children.flat().map(([depth, text]): [number, string] => [depth + 1, text]);
  return [[0, open], ...inner, [0, `</${name}>`]];
}

function xmlSuite(suite: Testsuite): Lines {
  const { tests, failures, timestamp, time, name } = suite;
  return element(
    'testsuite',
    [
      ['tests', tests],
      ['failures', failures],
      ['timestamp', timestamp],
      ['time', time],
      ['name', name],
    ],
    [...suite.testcase.map(xmlCase), ...suite.testsuite.map(xmlSuite)],
  );
}

function xmlCase({ classname, name, timestamp, time, assertions, failure }: Testcase): Lines {
  return element(
    'testcase',
    [
      ['classname', classname],
      ['name', name],
      ['timestamp', timestamp],
      ['time', time],
      ['assertions', assertions],
    ],
    failure === undefined ? [] : [xmlFailure(failure)],
  );
}

function xmlFailure({ message, text }: Failure): Lines {
  return [[0, `<failure message="${escapeXml(message)}" type="">${escapeXml(text)}</failure>`]];
}

function indented(lines: Lines): string {
  return lines.map(([depth, text]) => ` ${'  '.repeat(depth)}${text}`).join('\n');
}

const XML_ESCAPES: { readonly [char: string]: string } = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** As Go's xml.EscapeText writes text; characters that XML cannot hold become U+FFFD. */
function escapeXml(text: string): string {
  return (
    text
      .replace(/["'&<>\t\n\r]/g, (char) => XML_ESCAPES[char] ?? char)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 does not have
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}

/** As Go's json.MarshalIndent writes it, with one space before each line but the first. */
function jsonReport(report: Testsuites): string {
  const text = JSON.stringify(jsonSuites(report), null, 2);
  return text
    .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    .split('\n')
    .join('\n ');
}

function jsonSuites({ name, tests, failures, time, testsuite, failure }: Testsuites): object {
  return {
    name,
    tests,
    failures,
    time,
    ...(testsuite.length === 0 ? {} : { testsuite: testsuite.map(jsonSuite) }),
    ...(failure === undefined ? {} : { failure: jsonFailure(failure) }),
  };
}

function jsonSuite({ tests, failures, timestamp, time, name, testcase, testsuite }: Testsuite): object {
  return {
    tests,
    failures,
    timestamp,
    time,
    name,
    ...(testcase.length === 0 ? {} : { testcase: testcase.map(jsonCase) }),
    ...(testsuite.length === 0 ? {} : { testsuite: testsuite.map(jsonSuite) }),
  };
}

function jsonCase({ classname, name, timestamp, time, assertions, failure }: Testcase): object {
  return {
    classname,
    name,
    timestamp,
    time,
    ...(assertions === 0 ? {} : { assertions }),
    ...(failure === undefined ? {} : { failure: jsonFailure(failure) }),
  };
}

function jsonFailure({ text, message }: Failure): object {
  return text === '' ? { message } : { text, message };
}

/** One test point for each `testcase`, with a subtest for each suite. */
function tapReport(report: Testsuites): string {
  const suites = report.testsuite;
  const lines = ['TAP version 14', `1..${suites.length}`];
  if (report.failure !== undefined) lines.push(`Bail out! ${oneLine(report.failure.message)}`);
  suites.forEach((suite, index) => {
    lines.push(...tapSuite(suite, index + 1));
  });
  return `${lines.join('\n')}\n`;
}

function tapSuite(suite: Testsuite, number: number): string[] {
  const inner = [
    `1..${suite.testcase.length + suite.testsuite.length}`,
    ...suite.testcase.flatMap((test, index) => tapCase(test, index + 1)),
    ...suite.testsuite.flatMap((child, index) => tapSuite(child, suite.testcase.length + index + 1)),
  ];
  return [
    `# Subtest: ${tapName(suite.name)}`,
    ...inner.map((line) => `    ${line}`),
    `${suite.failures === 0 ? 'ok' : 'not ok'} ${number} - ${tapName(suite.name)}`,
  ];
}

function tapCase({ name, time, failure }: Testcase, number: number): string[] {
  const head = `${failure === undefined ? 'ok' : 'not ok'} ${number} - ${tapName(name)}`;
  const facts = [`duration_ms: ${Math.round(Number(time) * 1_000)}`];
  if (failure !== undefined) {
    facts.push(`message: ${JSON.stringify(failure.message)}`, `error: ${JSON.stringify(failure.text)}`);
  }
  return [head, '  ---', ...facts.map((fact) => `  ${fact}`), '  ...'];
}

function tapName(name: string): string {
  return oneLine(name).replace(/[\\#]/g, (char) => `\\${char}`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
