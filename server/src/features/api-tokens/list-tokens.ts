import { parseWireTime } from '../../kernel/clock.ts'
import type { Page } from '../../kernel/page.ts'
import { openPage, pageByCreation } from '../../infra/http/paging.ts'
import type { Work } from '../../infra/work/work.ts'
import type { TokenListQuery } from './schema.ts'
import { countTokens, listTokens as listStoredTokens } from './store.ts'
import type { ApiToken, TokenFilters } from './store.ts'

/** The platform's live tokens, newest first. Fails: INVALID_INPUT on a cursor of another list. */
export async function listTokens(work: Work, query: TokenListQuery): Promise<Page<ApiToken>> {
  const { tx, platform } = work
  const filters = filtersOf(query)
  return pageByCreation(openPage(work, { list: 'tokens', query }), {
    rows: (page) => listStoredTokens(tx, platform.id, { filters, ...page }),
    count: () => countTokens(tx, platform.id, filters),
  })
}

/** Tokens never change (TOK-7), so both pairs of bounds narrow the same range. */
function filtersOf(query: TokenListQuery): TokenFilters {
  const froms = [query.createdAfter, query.updatedAfter].flatMap(instants)
  const untils = [query.createdBefore, query.updatedBefore].flatMap(instants)
  return {
    name: query.name,
    createdFrom: froms.toSorted(byTime).at(-1),
    createdUntil: untils.toSorted(byTime)[0],
  }
}

const instants = (text: string | undefined): Date[] => [parseWireTime(text ?? '') ?? []].flat()

const byTime = (a: Date, b: Date): number => a.getTime() - b.getTime()
