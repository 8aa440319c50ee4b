/** From an id to the page of what it names. */
import { html, type Html } from '../pages/html.ts'
import { columnOf, shortId } from './cells/cells.ts'
import { addressOf } from './layout.ts'
import type { Path } from './path.ts'
import type { Column, Visit } from './section.ts'

/** The section that has a page for ids of this kind. */
const SECTIONS: Readonly<Record<string, string>> = {
  Customer: 'customers',
  Transaction: 'transactions',
  CardTransaction: 'transactions',
  Quote: 'quotes',
  Card: 'cards',
  Agent: 'agents',
  Verification: 'reviews',
  InternalAccount: 'accounts',
  ExternalAccount: 'external-accounts',
  Webhook: 'events',
  Platform: 'platforms',
  Provider: 'providers',
  Order: 'orders',
  Exception: 'exceptions',
  Operator: 'operators',
  Proposal: 'proposals',
}

/** Jobs go by their bare uuid. */
function pathOf(id: string): string | undefined {
  const [kind = '', uuid] = id.split(':')
  if (kind === 'Job') return `/jobs/${uuid}`
  const section = SECTIONS[kind]
  return section && `/${section}/${encodeURIComponent(id)}`
}

/** The address of its page; undefined where it has none. */
export const pageOfId = (visit: Visit, id: string): string | undefined => {
  const path = pathOf(id)
  return path && addressOf(visit, path)
}

/** The id, leading to its page where there is one. */
export function linkedId(visit: Visit, id: string): Html {
  const href = pageOfId(visit, id)
  return href === undefined ? shortId(id) : html`<a href="${href}">${shortId(id)}</a>`
}

export const linkColumn = <R>(title: string, ...path: Path<R>): Column<R> =>
  columnOf(title, path, (id, visit) => linkedId(visit, id))
