import type { Page } from '../../kernel/page.ts'
import { openPage } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import { VASPS, type Vasp } from './vasps.ts'

/** By name, in code-point order (DISC-4). Fails: INVALID_INPUT on a cursor of another list. */
export function listVasps(
  work: Work,
  query: Readonly<{ limit?: number; cursor?: string }>,
): Page<Vasp> {
  const paging = openPage(work, { list: 'vasps', query })
  const [after = ''] = paging.after ?? []
  const rows = VASPS.filter(({ vaspName }) => vaspName > after).slice(0, paging.fetch)
  return paging.page(rows, { item: (vasp) => vasp, position: ({ vaspName }) => [vaspName] })
}
