/**
 * Sent with each request of a page that shows the console as another user: the server refuses to change anything with it when that view has
 * ended meanwhile, since the page says that nothing is changed. The name is URI-encoded: headers hold ASCII only.
 */
export const VIEWED_HEADER = 'x-bravo-viewed';
