import { type JsonValue, stringAt } from '@/lib/json/json';
import type { MountedFiles } from '../shell/language/mounted-files';
import type { LogBuffer } from './log-buffer';

/** As the kubelet keeps them (pkg/kubelet/container/runtime.go: MaxContainerTerminationMessageLength, …LogLength, …LogLines). */
const MOST_BYTES = 4_096;
const MOST_LOG_BYTES = 2_048;
const MOST_LOG_LINES = 80;

/** The file in which a container says how it ended. */
export class TerminationMessage {
  private readonly path: string;

  /** Empties the file: a container does not see what the run before has written. */
  constructor(
    private readonly spec: JsonValue,
    private readonly files: MountedFiles,
  ) {
    this.path = stringAt(spec, 'terminationMessagePath') ?? '/dev/termination-log';
    // A volume that is mounted there is not the container's own.
    if (files.isOfImage(this.path)) files.write(this.path, new Uint8Array());
  }

  /** What stands in the file, else the end of the log of a container that failed, if its pod asks for that; empty without either. */
  read(exitCode: number, log: LogBuffer): string {
    const text = this.text();
    const isLogAsked = stringAt(this.spec, 'terminationMessagePolicy') === 'FallbackToLogsOnError' && exitCode !== 0;
    if (text !== '' || !isLogAsked) return text;
    const lines = log.from(Math.max(0, log.end - MOST_LOG_LINES)).map((line) => `${line.text}\n`);
    return lines.join('').slice(-MOST_LOG_BYTES);
  }

  private text(): string {
    const node = this.files.get(this.path);
    return node?.kind === 'file' ? new TextDecoder().decode(node.content.subarray(0, MOST_BYTES)) : '';
  }
}
