import { toWireTime } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/page.ts'
import type { Paging } from '../../infra/http/paging.ts'
import type { PageOfNewest } from './newest-store.ts'

type Listed = Readonly<{ id: string; createdAt: Date }>

/** One page of a list, newest first, with the total count. */
export async function listNewest<Row extends Listed>(
  paging: Paging,
  source: { rows: (page: PageOfNewest) => Promise<Row[]>; count: () => Promise<number> },
): Promise<Page<Row>> {
  const [createdAt = '', id = ''] = paging.after ?? []
  const after = paging.after && { createdAt, id }
  const [rows, totalCount] = await Promise.all([
    source.rows({ after, fetch: paging.fetch }),
    source.count(),
  ])
  const page = paging.page(rows, {
    item: (row) => row,
    position: (row) => [toWireTime(row.createdAt), row.id],
  })
  return { ...page, totalCount }
}
