const SAYS_WHY =
  /error|fatal|panic|exception|fail|denied|refused|forbidden|cannot|can't|unable|invalid|not found|missing/i;
/** Lines of a stack trace: `at com.example…`, `goroutine 1 [running]:`, a line that begins with a tab, `exit status 1`. */
const TRACE = /^\s+at |^goroutine |^\t|^exit status \d+$/;

/** The line of a log that says why a program ended: the last one that has a word for it, else the last one; undefined without lines. */
export function tellingLine(lines: readonly string[]): string | undefined {
  const said = lines.filter((line) => line.trim() !== '' && !TRACE.test(line));
  return said.findLast((line) => SAYS_WHY.test(line)) ?? said.at(-1) ?? lines.at(-1);
}
