/** Who pays and who is paid, by name: one query for all rows of a page (OPER-122). */
import { formatId, parseId, type Id } from '../../../kernel/ids.ts'
import type { Tx } from '../../../infra/db/tx.ts'
import { nameHolder } from '../../../features/external-accounts/lists.ts'
import type { ListedTransaction, Transaction } from '../../../features/transactions/index.ts'
import { listNamedParties, PARTY_KINDS, type NamedParty, type PartyKey } from './party-store.ts'

/** `Jane Doe ••0007`. */
const inShort = (
  name: string | undefined,
  number: string | null | undefined,
): string | undefined => {
  const end = number ? `••${number.slice(-4)}` : undefined
  return [name, end].filter((part) => part !== undefined).join(' ') || undefined
}

function textOf(tx: Tx, row: NamedParty): string | undefined {
  const { isOwn, platformName, customerName, externalId, accountInfo, identifiedBy, last4 } = row
  const owner = customerName ?? (isOwn ? platformName : undefined)
  if (externalId === null) return inShort(owner, last4)
  const sealed = { id: externalId, accountInfo, identifiedBy: identifiedBy ?? '' }
  const { name, number } = nameHolder(tx.keyring, sealed)
  return inShort(name ?? owner, number)
}

/** What a list knows of a party: the id of an account, card, customer or payment, or already its name. */
type Party = Readonly<{ id?: string | undefined; name?: string | undefined }>

export type Parties = Readonly<{ platformId: Id<'platform'>; payer: Party; payee: Party }>

export type NamedParties = Readonly<{ payer?: string; payee?: string }>

function keyOf(platformId: Id<'platform'>, { id: text, name }: Party): PartyKey[] {
  if (text === undefined || name !== undefined) return []
  return PARTY_KINDS.flatMap((kind) => {
    const id = parseId(kind, text)
    return id === undefined ? [] : [{ platformId, kind, id }]
  })
}

/** The names of the parties, in the order in which they are asked for. */
export async function nameParties(tx: Tx, asked: readonly Parties[]): Promise<NamedParties[]> {
  const keys = asked.flatMap(({ platformId, payer, payee }) => [
    ...keyOf(platformId, payer),
    ...keyOf(platformId, payee),
  ])
  const known = new Map(keys.map((key) => [`${key.platformId}/${key.id}`, key]))
  const rows = known.size === 0 ? [] : await listNamedParties(tx, [...known.values()])
  const names = new Map(rows.map((row) => [`${row.platformId}/${row.id}`, textOf(tx, row)]))
  const nameOf = (platformId: Id<'platform'>, party: Party): string | undefined =>
    party.name ?? keyOf(platformId, party).map(({ id }) => names.get(`${platformId}/${id}`))[0]
  return asked.map(({ platformId, payer, payee }) => {
    const [from, to] = [nameOf(platformId, payer), nameOf(platformId, payee)]
    return { ...(from !== undefined && { payer: from }), ...(to !== undefined && { payee: to }) }
  })
}

type Side = Transaction['source'] | Transaction['destination'] | null

/** An UMA address is a name; what came from outside may have brought one. */
function partyOf(side: Side): Party {
  if (side === null) return {}
  if ('accountId' in side) return { id: side.accountId }
  if ('umaAddress' in side) return { name: side.umaAddress }
  const { accountHolderName, accountIdentifier, customerId } = side
  return { id: customerId, name: inShort(accountHolderName, accountIdentifier) }
}

export const partiesOf = (
  platformId: Id<'platform'>,
  { source, destination }: Readonly<{ source: Side; destination: Side }>,
): Parties => ({ platformId, payer: partyOf(source), payee: partyOf(destination) })

/** A card pays a merchant. */
export function partiesOfListed(platformId: Id<'platform'>, listed: ListedTransaction): Parties {
  if (listed.type !== 'CARD') return partiesOf(platformId, listed)
  const { descriptor } = listed.details['merchant'] as Readonly<{ descriptor: string }>
  const payer = { id: formatId('card', listed.cardId) }
  return { platformId, payer, payee: { name: descriptor } }
}
