/** The path of a request, without its query. */
export function requestPath(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
