import { fail, failFields } from '../../../kernel/errors.ts'
import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import type { Work } from '../../../infra/work/work.ts'
import { digestOf } from '../../../orders/index.ts'
import type { DepositBody } from '../../../providers/http/messages/pushes.ts'
import type { Inbound, ItemResult } from '../../providers/index.ts'
import { loseFunding } from '../../settlements/index.ts'
import { lockTransaction, reverseCredit } from '../../transactions/index.ts'
import type { Deposit } from '../deposit.ts'
import { deposit as machine } from '../machine.ts'
import { saved } from '../own-transaction.ts'
import { returnDeposit } from '../returns/return-deposit.ts'
import {
  findPlatformOfProvided,
  insertReversal,
  listReversals,
  lockProvided,
  type Reversal,
} from '../store.ts'
import { openChanged } from './changed.ts'
import { toResult } from './result.ts'

export type ReversedDeposit = Extract<DepositBody, { state: 'REVERSED' }>

/** A deposit that is attributed meanwhile is read again in a Work of its owner. */
const ATTEMPTS = 3

/**
 * Takes back a deposit, or part of it, once per `reversalId` (PROV-85). Fails: REFERENCE_NOT_FOUND, INVALID_INPUT for more
 * than is left of it.
 */
export async function takeReversal(
  { deps, provider, inPlatform }: Inbound,
  item: ReversedDeposit,
): Promise<ItemResult> {
  const source = { providerId: provider.id, depositId: item.depositId }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const platformId = await findPlatformOfProvided(deps.db.read, source)
    if (!platformId) return fail('REFERENCE_NOT_FOUND')
    const result = await inPlatform(platformId, async (work) => {
      const deposit = await lockProvided(work.tx, source)
      invariant(deposit, 'A deposit is never gone.')
      const isOwn = deposit.ownerPlatformId === null || deposit.ownerPlatformId === platformId
      return isOwn ? reverse(work, deposit, item) : undefined
    })
    if (result) return result
  }
  return fail('SERVICE_UNAVAILABLE')
}

async function reverse(work: Work, deposit: Deposit, item: ReversedDeposit): Promise<ItemResult> {
  const digest = digestOf(item)
  const earlier = await listReversals(work.tx, deposit)
  const same = earlier.find(({ reversalId }) => reversalId === item.reversalId)
  if (same?.digest.equals(digest) || deposit.status === 'DROPPED') return { result: 'DUPLICATE' }
  const before = earlier.reduce((sum, { amount }) => sum + amount, 0n)
  const amount = BigInt(item.amount.amount)
  const isMoved = deposit.status === 'RETURNING' || deposit.status === 'RETURNED'
  // Money that is going back already, or that waits or is expected as one sum, is for an operator to look at.
  const isWhole = amount >= deposit.money.amount
  const isPartOfWaiting = (isWaiting(deposit) || deposit.status === 'PENDING') && !isWhole
  if (same || (isMoved && before === 0n) || isPartOfWaiting) return openChanged(work, deposit, item)
  mustBeLeft(deposit, { item, before })
  const { reversalId, reason } = item
  insertReversal(work.tx, deposit, { reversalId, amount, reason, digest, at: work.now })
  return toResult(await takeMoney(work, deposit, { amount, before, reversalId }))
}

const isWaiting = ({ status }: Deposit): boolean => status === 'HELD' || status === 'UNATTRIBUTED'

type Asked = Readonly<{ item: ReversedDeposit; before: bigint }>

function mustBeLeft({ money }: Deposit, { item: { amount }, before }: Asked): void {
  const left = money.amount - before
  if (amount.currency !== money.currency) {
    failFields([{ field: 'amount.currency', message: `must be ${money.currency}` }])
  }
  if (BigInt(amount.amount) <= left) return
  const message = `must be at most ${left}, which is left of the deposit`
  failFields([{ field: 'amount.amount', constraint: { maximum: amountToWire(left) }, message }])
}

type TakenBack = Pick<Reversal, 'amount' | 'reversalId'> & Readonly<{ before: bigint }>

async function takeMoney(
  work: Work,
  deposit: Deposit,
  { amount, before, reversalId }: TakenBack,
): Promise<Deposit> {
  // No money has come, so that nothing is booked: the chain or the bank took back what was only seen.
  if (deposit.status === 'PENDING')
    return saved(work, { ...deposit, status: advance(machine, deposit.status, 'drop') })
  if (isWaiting(deposit)) return returnDeposit(work, deposit.id, 'COLLECTION_FAILED')
  const { tx, platform } = work
  const { transactionId, report, source } = deposit
  invariant(transactionId, 'A deposit that was taken has a transaction.')
  const { rail } = report
  const transaction = await lockTransaction(tx, platform.id, transactionId)
  if (transaction?.type === 'INCOMING') {
    await reverseCredit(work, { transaction, rail, amount, before })
    return deposit
  }
  invariant(transaction, 'The transaction of a deposit is there.')
  const exception = {
    providerId: source?.providerId ?? null,
    subject: formatId('transaction', transactionId),
    details: { depositId: source?.depositId, reversalId, returned: amountToWire(amount) },
  }
  // It executed a quote, as a pull does (PROV-67).
  await loseFunding(work, transaction, { rail, amount, before, exception })
  return deposit
}
