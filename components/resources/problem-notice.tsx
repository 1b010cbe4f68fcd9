import { Notice } from '@/components/ui/notice';
import type { SaveProblem } from './use-object-draft';

/** Why something was refused, field by field where the API says so. */
export function ProblemNotice({ title, problem }: { title: string; problem: SaveProblem }) {
  return (
    <div className="border-t p-4">
      <Notice tone="fail" alert title={title}>
        {problem.causes.length === 0 && <p>{problem.message}</p>}
        <ul>
          {problem.causes.map(({ field, message, line }) => (
            <li key={`${field} ${message}`}>
              {line !== undefined && `Line ${line}: `}
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
