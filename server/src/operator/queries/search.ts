/** Searches for the typed text in every meaning that it can have: id, name, amount, last four digits (OPER-112). */
import type { Database } from '../../infra/db/database.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Id } from '../../kernel/ids.ts'
import { moneyToText } from '../../kernel/money/wire-money.ts'
import { findCurrency } from '../../kernel/money/currency.ts'
import { readAmounts, readIdEnd } from './read-typed.ts'
import {
  allowTypos,
  findAgentsByName,
  findCardsByLast4,
  findCustomersByIdEnd,
  findCustomersByName,
  findPaymentsByAmount,
  findPaymentsByBeneficiary,
  findPaymentsByIdEnd,
  hasTrigrams,
  type ExactAmount,
  type Hit,
  type Way,
} from './search-store.ts'

export const FOUND_BY = [
  'ID',
  'REFERENCE',
  'NAME',
  'SIMILAR_NAME',
  'EMAIL',
  'PHONE',
  'AMOUNT',
  'BENEFICIARY',
  'LAST_FOUR',
] as const

export type FoundBy = (typeof FOUND_BY)[number]
export type FoundHit = Hit & Readonly<{ by: FoundBy }>

type Platforms = readonly Id<'platform'>[] | null

const NAME_LENGTH_MAX = 100
const LETTERS_MIN = 2
/** With fewer letters nearly all names are similar. */
const SIMILAR_LETTERS_MIN = 4

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const isName = (text: string): boolean =>
  text.length <= NAME_LENGTH_MAX && lettersIn(text) >= LETTERS_MIN

const labelled = async (by: FoundBy, found: Promise<Hit[]>): Promise<FoundHit[]> =>
  (await found).map((hit) => ({ ...hit, by }))

type Name = Readonly<{ text: string; platformIds: Platforms }>

const byName = async (tx: Tx, name: Name, way: Way): Promise<FoundHit[]> => {
  const [named, by] = [{ ...name, way }, way === 'resembles' ? 'SIMILAR_NAME' : 'NAME'] as const
  const found = await Promise.all([
    labelled(by, findCustomersByName(tx, named)),
    labelled(by, findAgentsByName(tx, named)),
    labelled('BENEFICIARY', findPaymentsByBeneficiary(tx, named)),
  ])
  return found.flat()
}

/** Names that contain the text; similar names only where there are none. */
async function searchNames(db: Database, name: Name): Promise<FoundHit[]> {
  if (!(await hasTrigrams(db.read))) return byName(db.read, name, 'begins')
  const found = await byName(db.read, name, 'contains')
  if (found.length > 0 || lettersIn(name.text) < SIMILAR_LETTERS_MIN) return found
  return db.transaction(async (tx) => {
    await allowTypos(tx)
    return byName(tx, name, 'resembles')
  })
}

const byAmount = async (
  tx: Tx,
  amounts: readonly ExactAmount[],
  platformIds: Platforms,
): Promise<FoundHit[]> => {
  const found = await labelled('AMOUNT', findPaymentsByAmount(tx, amounts, platformIds))
  return found.map((hit) => {
    const [amount = '0', code = ''] = hit.title?.split(' ') ?? []
    const currency = findCurrency(code)?.code
    return currency ? { ...hit, title: moneyToText({ amount: BigInt(amount), currency }) } : hit
  })
}

export async function search(
  db: Database,
  text: string,
  platformIds: Platforms,
): Promise<readonly FoundHit[]> {
  const { read } = db
  const [end, amounts] = [readIdEnd(text), readAmounts(text)]
  const searches = [
    ...(end === undefined
      ? []
      : [
          labelled('ID', findPaymentsByIdEnd(read, end, platformIds)),
          labelled('ID', findCustomersByIdEnd(read, end, platformIds)),
        ]),
    ...(!text.includes('@') && isName(text)
      ? [searchNames(db, { text: text.toLowerCase(), platformIds })]
      : []),
    ...(/^\d{4}$/.test(text)
      ? [labelled('LAST_FOUR', findCardsByLast4(read, text, platformIds))]
      : []),
    ...(amounts.length === 0 ? [] : [byAmount(read, amounts, platformIds)]),
  ]
  return (await Promise.all(searches)).flat()
}
