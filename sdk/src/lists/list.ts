import type { ApiRequest, Caller, CallOptions, List, PageOf } from '../caller.ts'

export function createList<T, P extends PageOf<T>>(
  send: Caller['send'],
  request: ApiRequest,
  options: CallOptions = {},
): List<T, P> {
  const pageAt = (cursor: string | undefined): Promise<P> =>
    send<P>(
      { ...request, query: { ...request.query, ...(cursor !== undefined && { cursor }) } },
      options,
    )
  // Asked for when somebody wants it, and once, however often the list is awaited.
  let first: Promise<P> | undefined
  const firstPage = (): Promise<P> => (first ??= pageAt(undefined))

  async function* pages(): AsyncGenerator<P> {
    for (let page = await pageAt(undefined); ; page = await pageAt(page.nextCursor)) {
      yield page
      if (page.hasMore !== true || page.nextCursor === undefined) return
    }
  }
  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.data
  }
  return {
    then: (onPage, onError) => firstPage().then(onPage, onError),
    pages,
    [Symbol.asyncIterator]: items,
    async toArray({ max = Infinity } = {}) {
      const taken: T[] = []
      if (max <= 0) return taken
      for await (const item of items()) if (taken.push(item) >= max) break
      return taken
    },
  }
}
