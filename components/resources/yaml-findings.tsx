import { StatusIcon } from '@/components/ui/status-icon';
import type { YamlFinding } from '@/lib/yaml/lint-yaml';

const MOST_SHOWN = 20;

/** Everything that is wrong with the text of an editor, line by line; nothing while there is nothing. */
export function YamlFindings({ findings }: { findings: readonly YamlFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="Problems in the text" className="max-h-48 overflow-y-auto border-t px-4 py-2">
      {findings.slice(0, MOST_SHOWN).map(({ from, line, severity, message }) => (
        <li key={`${from} ${message}`} className="flex items-start gap-2 py-0.5" data-severity={severity}>
          <span className={severity === 'error' ? 'mt-0.5 text-fail' : 'mt-0.5 text-wait'}>
            <StatusIcon shape={severity === 'error' ? 'octagon' : 'retry'} />
          </span>
          <span className="min-w-0 break-words">
            <span className="sr-only">{severity === 'error' ? 'Error: ' : 'Warning: '}</span>
            Line {line}: {message}
          </span>
        </li>
      ))}
      {findings.length > MOST_SHOWN && <li className="text-ink-2">{findings.length - MOST_SHOWN} more</li>}
    </ul>
  );
}

/** Why a text cannot be sent: the first error in it; undefined without one. Warnings do not stop anybody. */
export function firstError(findings: readonly YamlFinding[]): string | undefined {
  const found = findings.find(({ severity }) => severity === 'error');
  return found === undefined ? undefined : `Line ${found.line}: ${found.message}`;
}
