/** What the sign-in page says about a failed sign-in at the provider; unknown names get the general sentence. */
export function problemWords(problem: string): string {
  if (problem === 'expired')
    return 'The sign-in took longer than 10 minutes, or was begun in another browser. Try again.';
  if (problem === 'denied')
    return 'The provider refused the sign-in. Ask its administrator for access to this console.';
  if (problem === 'provider')
    return 'The provider cannot be reached, or its answer is not valid. The log of the console says why.';
  if (problem === 'cluster') return 'The cluster does not accept who you are. The log of the console says why.';
  return 'The sign-in failed. Try again.';
}
