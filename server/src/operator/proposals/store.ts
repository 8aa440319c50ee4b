import type { Id } from '../../kernel/ids.ts'
import type { WaitingPage } from '../../kernel/page.ts'
import { afterPlace, countWaiting, ofPlatforms } from '../../infra/db/list-rows.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import type { Tx } from '../../infra/db/tx.ts'
import type { Proposal, ProposalError, ProposalStatus } from './proposal.ts'

const COLUMNS = sql`p.platform_id, p.id, p.command, p.sealed_input, p.digest, p.resource, p.amount, p.currency,
  p.status, p.proposer, p.proposed_by, p.decided_by, p.sealed_result, p.error, p.created_at, p.expires_at, p.decided_at`

/** Locks an equal proposal that is past its time but not marked as expired yet. */
export const lockOverdueEqual = (
  tx: Tx,
  { command, digest, createdAt }: Pick<Proposal, 'command' | 'digest' | 'createdAt'>,
): Promise<Proposal | undefined> =>
  tx.maybe<Proposal>(
    sql`select ${COLUMNS} from proposals p
        where p.command = ${command} and p.digest = ${digest} and p.status = 'PROPOSED' and p.expires_at <= ${createdAt}
        for no key update`,
  )

/** False where an equal one is open (OPER-27). */
export async function insertProposal(tx: Tx, proposal: Proposal): Promise<boolean> {
  const { platformId, id, command, digest, status, createdAt, expiresAt } = proposal
  const written = await tx.run(
    sql`insert into proposals (platform_id, id, command, sealed_input, digest, resource, amount, currency, status,
          proposer, proposed_by, created_at, expires_at)
        values (${platformId}, ${id}, ${command}, ${proposal.sealedInput}, ${digest}, ${proposal.resource},
          ${proposal.amount}, ${proposal.currency}, ${status}, ${proposal.proposer}, ${proposal.proposedBy},
          ${createdAt}, ${expiresAt})
        on conflict (command, digest) where status = 'PROPOSED' do nothing`,
  )
  return written === 1
}

export const findEqual = (
  tx: Tx,
  { command, digest }: Pick<Proposal, 'command' | 'digest'>,
): Promise<Pick<Proposal, 'id'> | undefined> =>
  tx.maybe(
    sql`select id from proposals where command = ${command} and digest = ${digest} and status = 'PROPOSED'`,
  )

/** Of the platforms that the operator may see; undefined for all. */
export type Visible = readonly Id<'platform'>[] | undefined

const isVisible = (visible: Visible): Sql =>
  visible === undefined ? sql`true` : sql`p.platform_id = any(${visible}::uuid[])`

export const findProposal = (
  tx: Tx,
  id: Id<'proposal'>,
  visible: Visible,
): Promise<Proposal | undefined> =>
  tx.maybe<Proposal>(
    sql`select ${COLUMNS} from proposals p where p.id = ${id} and ${isVisible(visible)}`,
  )

export const lockProposal = (
  tx: Tx,
  id: Id<'proposal'>,
  visible: Visible,
): Promise<Proposal | undefined> =>
  tx.maybe<Proposal>(
    sql`select ${COLUMNS} from proposals p where p.id = ${id} and ${isVisible(visible)} for no key update`,
  )

export type ProposalPage = WaitingPage & Readonly<{ isAll: boolean; now: Date }>

const isOpen = (now: Date): Sql => sql`p.status = 'PROPOSED' and p.expires_at > ${now}`

/** Oldest first. */
const pageOf = ({ platformIds, after, limit, isAll, now }: ProposalPage): Sql =>
  sql`select ${COLUMNS} from proposals p
      where ${isAll ? sql`true` : isOpen(now)}
        ${ofPlatforms(platformIds, sql`p.platform_id`)} ${afterPlace(after, sql`p.created_at, p.id`)}
      order by p.created_at, p.id limit ${limit}`

export const listProposals = (tx: Tx, page: ProposalPage): Promise<Proposal[]> =>
  tx.many<Proposal>(pageOf(page))

export const countOpenProposals = (
  tx: Tx,
  { atMost, now }: Readonly<{ atMost: number; now: Date }>,
): Promise<number> => countWaiting(tx, (page) => pageOf({ ...page, now, isAll: false }), { atMost })

export async function countOpen(tx: Tx, now: Date): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from proposals p where ${isOpen(now)}`,
  )
  return count
}

export type Outcome = Readonly<{
  status: Exclude<ProposalStatus, 'PROPOSED'>
  sealedResult?: Buffer
  error?: ProposalError
}>

type Place = Pick<Proposal, 'platformId' | 'id'>
type Decision = Readonly<{ decidedBy: string; at: Date }>

/** Callers hold its lock. */
export async function saveDecision(
  tx: Tx,
  place: Place,
  { decidedBy, at, ...outcome }: Outcome & Decision,
): Promise<void> {
  await tx.run(
    sql`update proposals set decided_by = ${decidedBy}, decided_at = ${at}, ${outcomeColumns(outcome)}
        where ${isRow(place)}`,
  )
}

export async function saveOutcome(tx: Tx, place: Place, outcome: Outcome): Promise<void> {
  await tx.run(sql`update proposals set ${outcomeColumns(outcome)} where ${isRow(place)}`)
}

const isRow = ({ platformId, id }: Place): Sql => sql`platform_id = ${platformId} and id = ${id}`

const outcomeColumns = ({ status, sealedResult, error }: Outcome): Sql =>
  sql`status = ${status}, sealed_result = ${sealedResult ?? null},
      error = ${error ? sql.json(error) : null}::jsonb`

export const lockOpenOf = (tx: Tx, proposer: string): Promise<Proposal[]> =>
  tx.many<Proposal>(
    sql`select ${COLUMNS} from proposals p where p.status = 'PROPOSED' and p.proposer = ${proposer}
        order by p.id for no key update`,
  )

export async function withdrawAll(
  tx: Tx,
  ids: readonly Id<'proposal'>[],
  { decidedBy, at }: Decision,
): Promise<void> {
  await tx.run(
    sql`update proposals set status = 'WITHDRAWN', decided_by = ${decidedBy}, decided_at = ${at}
        where id = any(${ids}::uuid[])`,
  )
}

/** Adds to the cents that an operator has moved alone that day, under the lock of the row; answers the sum. */
export async function addVolume(
  tx: Tx,
  { operator, at, dollars }: Readonly<{ operator: string; at: Date; dollars: bigint }>,
): Promise<bigint> {
  const { usdAmount } = await tx.one<{ usdAmount: bigint }>(
    sql`insert into operator_volumes as v (operator, day, usd_amount)
        values (${operator}, (${at}::timestamptz at time zone 'UTC')::date, ${dollars})
        on conflict (operator, day) do update set usd_amount = v.usd_amount + excluded.usd_amount
        returning usd_amount`,
  )
  return usdAmount
}
