import { roleForRefusal } from '@/lib/kube/role-for-refusal';
import { RoleToAskFor } from './role-to-ask-for';

/** The Role to ask for after a refusal, or the verbs when the Role is unknown. @param message of the API server */
export function Grant({ message }: { message: string }) {
  const role = roleForRefusal(message);
  if (role === undefined) return <p className="mt-1">Ask a cluster administrator for the verbs list and watch.</p>;
  return <RoleToAskFor role={role} />;
}
