import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { shellLine } from '@/lib/kudo/commands/shell-quote';

/** The size of a terminal, and its changes. */
export interface ExecTerminal {
  readonly size: TerminalCells;
  onSize(listener: (size: TerminalCells) => void): void;
}

interface TerminalCells {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The command that gives a program a terminal of this machine: `script` opens one, and `runc exec` copies it, its size included, to the one
 * that it makes in the container. Neither of the two may echo, which is left to the container.
 *
 * @param ttyPath where the name of the terminal is written
 */
export function inTerminal(command: readonly string[], ttyPath: string, { columns, rows }: TerminalCells): string[] {
  const prepare = `stty raw -echo rows ${rows} cols ${columns}; tty > ${shellLine([ttyPath])}`;
  return ['script', '-qfec', `${prepare}; exec ${shellLine(command)}`, '/dev/null'];
}

/** Passes each change of the size on: the kernel tells `runc`, as for a person's terminal. */
export function followSize(terminal: ExecTerminal, ttyPath: string): void {
  terminal.onSize(({ columns, rows }) => {
    if (!existsSync(ttyPath)) return;
    const device = readFileSync(ttyPath, 'utf8').trim();
    // The program may have ended in the meantime.
    execFile('stty', ['-F', device, 'rows', String(rows), 'cols', String(columns)], () => undefined);
  });
}
