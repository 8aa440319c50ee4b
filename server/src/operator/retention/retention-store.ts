import {
  nameIn,
  openContact,
  type Contact,
  type CustomerStatus,
  type SealedName,
} from '../../features/customers/index.ts'
import { raw } from '../../infra/db/statement/raw.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import { openJsonText } from '../../infra/db/sealed-json.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { fail } from '../../kernel/errors.ts'
import { failNotFound, formatId, type Id } from '../../kernel/ids.ts'
import { HOUSE_PLATFORM_IDS } from '../../kernel/platform.ts'
import type { SealedColumn } from '../reseal/sealed-columns.ts'
import {
  PERSONAL_TABLES,
  REQUESTS,
  type CustomerResources,
  type PersonalTable,
} from './personal-store.ts'

type CustomerKey = Readonly<{ platformId: Id<'platform'>; customerId: Id<'customer'> }>

/** The columns that decide whether a customer's data may be erased. */
export type ErasureState = Readonly<{
  isDeleted: boolean
  status: CustomerStatus
  /** When the customer was deleted or rejected, by its platform's clock. */
  endedAt: Date
  legalHoldSince: Date | null
}>

/** Locks a customer whose data is still there. Fails: USER_NOT_FOUND, CONFLICT where the data is erased. */
export async function lockUnerased(
  tx: Tx,
  { platformId, customerId }: CustomerKey,
): Promise<ErasureState> {
  const row = await tx.maybe<ErasureState & Readonly<{ erasedAt: Date | null }>>(
    sql`select is_deleted, status, erased_at, legal_hold_since,
          case when is_deleted then updated_at else coalesce(status_changed_at, updated_at) end as ended_at
        from customers where platform_id = ${platformId} and id = ${customerId} for update`,
  )
  const { erasedAt, ...state } = row ?? failNotFound('customer')
  return erasedAt ? fail('CONFLICT', { reason: 'ERASED', erasedAt: toWireTime(erasedAt) }) : state
}

export async function setLegalHold(
  tx: Tx,
  { platformId, customerId }: CustomerKey,
  since: Date | null,
): Promise<void> {
  await tx.run(
    sql`update customers set legal_hold_since = ${since} where platform_id = ${platformId} and id = ${customerId}`,
  )
}

export async function findLegalHold(
  tx: Tx,
  { platformId, customerId }: CustomerKey,
): Promise<Date | undefined> {
  const row = await tx.maybe<{ since: Date | null }>(
    sql`select legal_hold_since as since from customers where platform_id = ${platformId} and id = ${customerId}`,
  )
  return row?.since ?? undefined
}

type Ids = Pick<
  CustomerResources,
  | 'internalAccountIds'
  | 'externalAccountIds'
  | 'verificationIds'
  | 'cardIds'
  | 'transactionIds'
  | 'umaAddresses'
> &
  Readonly<{
    ownerIds: readonly Id<'beneficialOwner'>[]
    cardTransactionIds: readonly Id<'cardTransaction'>[]
  }>

export async function readCustomerResources(tx: Tx, key: CustomerKey): Promise<CustomerResources> {
  const { platformId, customerId } = key
  const own = sql`platform_id = ${platformId} and customer_id = ${customerId}`
  const ids = await tx.one<Ids>(
    sql`select array(select id from internal_accounts where ${own}) as internal_account_ids,
          array(select id from external_accounts where ${own}) as external_account_ids,
          array(select id from verifications where ${own}) as verification_ids,
          array(select id from beneficial_owners where ${own}) as owner_ids,
          array(select id from cards where ${own}) as card_ids,
          array(select id from card_transactions where ${own}) as card_transaction_ids,
          array(select id from transactions where ${own}) as transaction_ids,
          array(select address from uma_addresses where ${own} union
            select uma_address from customers where platform_id = ${platformId} and id = ${customerId}
              and uma_address <> '') as uma_addresses`,
  )
  const subjects = [
    formatId('customer', customerId),
    ...ids.internalAccountIds.map((id) => formatId('internalAccount', id)),
    ...ids.externalAccountIds.map((id) => formatId('externalAccount', id)),
    ...ids.verificationIds.map((id) => formatId('verification', id)),
    ...ids.ownerIds.map((id) => formatId('beneficialOwner', id)),
    ...ids.cardIds.map((id) => formatId('card', id)),
    ...ids.cardTransactionIds.map((id) => formatId('cardTransaction', id)),
    ...ids.transactionIds.map((id) => formatId('transaction', id)),
  ]
  return { platformId, customerId, ...ids, subjects }
}

/** Whether an order, an exception or a card shortfall is still open (OPER-72). */
export async function hasOpenMatters(tx: Tx, ids: CustomerResources): Promise<boolean> {
  const { open } = await tx.one<{ open: boolean }>(
    sql`select exists (select from provider_orders where platform_id = ${ids.platformId}
            and state in ('QUEUED', 'UNKNOWN', 'ACCEPTED', 'SENT')
            and (transaction_id = any(${ids.transactionIds}::uuid[]) or subject = any(${ids.subjects}::text[])))
          or exists (select from exceptions e where e.platform_id = ${ids.platformId} and e.status = 'OPEN'
            and (e.subject = any(${ids.subjects}::text[]) or e.order_id in (select o.id from provider_orders o
              where o.platform_id = ${ids.platformId} and (o.transaction_id = any(${ids.transactionIds}::uuid[])
                or o.subject = any(${ids.subjects}::text[])))))
          or exists (select from card_transactions where platform_id = ${ids.platformId}
            and customer_id = ${ids.customerId} and shortfall > 0) as open`,
  )
  return open
}

export type DocumentFile = Readonly<{ id: Id<'document'>; fileName: string; fileId: string }>

/** The files of the customer's documents, and of those of its owners. */
export const listDocumentFiles = (
  tx: Tx,
  { platformId, customerId }: CustomerKey,
): Promise<DocumentFile[]> =>
  tx.many<DocumentFile>(
    sql`select id, file_name, file_id from documents
        where platform_id = ${platformId} and customer_id = ${customerId} order by created_at, id`,
  )

/** A row, and by column the context that its sealed value is bound to. */
export type PersonalRow = Readonly<{
  row: Readonly<Record<string, unknown>>
  contexts: Readonly<Record<string, string>>
}>

type RowsQuery = Readonly<{ table: string; sealed: readonly SealedColumn[]; where: Sql }>

export function listPersonalRows(
  tx: Tx,
  { table, sealed, where }: RowsQuery,
): Promise<PersonalRow[]> {
  const contexts = sealed.map(({ column, context }) => `'${column}', ${context}`).join(', ')
  return tx.many<PersonalRow>(
    sql`select to_jsonb(t) as row, jsonb_build_object(${raw(contexts)}) as contexts from ${raw(table)} t
        where ${where}`,
  )
}

/** Erases the personal data of a customer in every table, in the transaction of the caller (OPER-73). */
export async function erasePersonalData(tx: Tx, ids: CustomerResources, at: Date): Promise<void> {
  const contact = await readContact(tx, ids)
  await eraseNotes(tx, ids, { names: namesOf(contact), at })
  await eraseEvents(tx, ids)
  await eraseStoredAnswers(tx, ids)
  for (const table of PERSONAL_TABLES) await eraseRows(tx, table, ids)
  // The platform's own id for the customer remains (OPER-74): it is stored in plain, as its sealed form is gone.
  await tx.run(
    sql`update customers set erased_at = ${at}, platform_customer_id = ${contact.platformCustomerId}
        where platform_id = ${ids.platformId} and id = ${ids.customerId}`,
  )
}

async function eraseRows(
  tx: Tx,
  { table, rows, set }: PersonalTable,
  ids: CustomerResources,
): Promise<void> {
  const change = set ? sql`update ${raw(table)} set ${set}` : sql`delete from ${raw(table)}`
  await tx.run(sql`${change} where ${rows(ids)}`)
}

export const eraseRequests = (tx: Tx, ids: CustomerResources): Promise<void> =>
  eraseRows(tx, REQUESTS, ids)

async function readContact(tx: Tx, { platformId, customerId }: CustomerKey): Promise<Contact> {
  const { sealedContact, ...contact } = await tx.one<Contact & SealedName>(
    sql`select platform_customer_id, email, phone_number, profile, sealed_contact
        from customers where platform_id = ${platformId} and id = ${customerId}`,
  )
  return sealedContact ? openContact(tx.keyring, customerId, sealedContact) : contact
}

/** The texts, in lower case, by which an audit note may name the customer. */
const namesOf = (contact: Contact): string[] =>
  [contact.email, contact.phoneNumber, nameIn(contact)].flatMap((text) =>
    text ? [text.toLowerCase()] : [],
  )

/** Erases the audit notes about the customer or with its name; the entries stay, so their chain stays valid (OPER-74). */
const eraseNotes = (
  tx: Tx,
  { platformId, subjects }: CustomerResources,
  { names, at }: Readonly<{ names: readonly string[]; at: Date }>,
): Promise<unknown> =>
  tx.many(
    sql`with about as (
          select n.platform_id, array_agg(n.entry_id) as entries
          from audit_notes n join audit_entries a on a.platform_id = n.platform_id and a.id = n.entry_id
          where n.platform_id = any(${[platformId, ...Object.values(HOUSE_PLATFORM_IDS)]}::uuid[])
            and n.note is not null and (a.resource = any(${subjects}::text[]) or exists (
              select from unnest(${names}::text[]) name where position(name in lower(n.note)) > 0))
          group by n.platform_id
        )
        select erase_audit_notes(platform_id, entries, 'the customer was erased', ${at}) from about`,
  )

/** Deletes the events about the customer with their deliveries: a stored event is already rendered. */
async function eraseEvents(tx: Tx, ids: CustomerResources): Promise<void> {
  const { platformId, customerId, subjects } = ids
  await deleteEvents(
    tx,
    platformId,
    sql`coalesce(e.resource_id, d.resource_id) = any(${subjects}::text[])
        or position(${customerId} in coalesce(e.whole_body, e.data)) > 0`,
  )
  const named = await listSealedEventsNaming(tx, ids)
  if (named.length > 0) await deleteEvents(tx, platformId, sql`e.id = any(${named}::uuid[])`)
}

/** An event that is kept as its difference from a deleted one goes with it. */
const deleteEvents = (tx: Tx, platformId: Id<'platform'>, which: Sql): Promise<number> =>
  tx.run(
    sql`with named as materialized (
          select e.id from event_rows e
            left join event_deliveries d on d.platform_id = e.platform_id and d.event_id = e.id
          where e.platform_id = ${platformId} and (${which})
        ), about as materialized (
          select id from named
          union select e.id from event_rows e join named n on n.id = e.base_id where e.platform_id = ${platformId}
        ), deliveries as (
          delete from event_deliveries d using about a where d.platform_id = ${platformId} and d.event_id = a.id
        )
        delete from event_rows e using about a where e.platform_id = ${platformId} and e.id = a.id`,
  )

type SealedEvent = Readonly<{ id: Id<'webhook'>; value: string }>

const SEALED_EVENTS_PER_PAGE = 1_000

/** Opens every sealed body, because SQL cannot search in them (OPER-78). */
async function listSealedEventsNaming(
  tx: Tx,
  { platformId, customerId }: CustomerResources,
): Promise<Id<'webhook'>[]> {
  const named: Id<'webhook'>[] = []
  let after: Id<'webhook'> | null = null
  for (;;) {
    const page: SealedEvent[] = await tx.many<SealedEvent>(
      sql`select id, whole_body as value from event_rows
            where platform_id = ${platformId} and whole_body is not null and left(whole_body, 1) = '"'
            and (${after}::uuid is null or id > ${after}) order by id limit ${SEALED_EVENTS_PER_PAGE}`,
    )
    for (const event of page)
      if (openJsonText(tx.keyring, 'eventBody', event).includes(customerId)) named.push(event.id)
    after = page.at(-1)?.id ?? null
    if (page.length < SEALED_EVENTS_PER_PAGE) return named
  }
}

/** Deletes stored answers that name the customer. Sealed ones cannot be searched and expire within a day. */
const eraseStoredAnswers = (
  tx: Tx,
  { platformId, customerId }: CustomerResources,
): Promise<number> =>
  tx.run(
    sql`delete from idempotency_keys where platform_id = ${platformId} and not sealed
          and position(convert_to(${customerId}, 'UTF8') in body) > 0`,
  )

export type Erasure = Readonly<{
  platformId: Id<'platform'>
  customerId: Id<'customer'>
  erasedAt: Date
}>

export const listErasures = (tx: Tx): Promise<Erasure[]> =>
  tx.many<Erasure>(
    sql`select platform_id, id as customer_id, erased_at from customers where erased_at is not null
        order by erased_at, id`,
  )
