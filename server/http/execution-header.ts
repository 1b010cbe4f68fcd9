/** Of an answer that began a plan: the UID of that execution, as its PlanRun has it in `spec.uid`. */
const EXECUTION_HEADER = 'X-Execution-Uid';
/** A UUID, or what another client of the Instance chose. */
const UID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The answer with the execution that it began; as it is when none began, or nobody can tell which. */
export function withExecution(response: Response, { uid }: { readonly uid?: string | undefined }): Response {
  if (uid !== undefined && UID.test(uid)) response.headers.set(EXECUTION_HEADER, uid);
  return response;
}

/** The execution that an answer began; undefined when it says none. */
export function executionInHeaders(headers: Headers | undefined): string | undefined {
  return headers?.get(EXECUTION_HEADER) ?? undefined;
}
