import { formatId } from '../../../kernel/ids.ts'
import { invariant } from '../../../kernel/invariant.ts'
import { advance } from '../../../kernel/machine.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  findSettledPayout,
  openException,
  referencesIn,
  type Order,
} from '../../../orders/index.ts'
import type { DepositBody } from '../../../providers/http/messages/pushes.ts'
import type { Inbound, ItemResult } from '../../providers/index.ts'
import type { Deposit } from '../deposit.ts'
import { findOwner } from '../find-owner.ts'
import { deposit as machine } from '../machine.ts'
import { saved } from '../own-transaction.ts'
import { placeDeposit, type Reception } from '../receive-deposit.ts'
import { findOnChain, insertDeposit, lockProvided, saveFinal } from '../store.ts'
import { openChanged } from './changed.ts'
import { readDeposit, type ArrivedDeposit, type ProvidedMoney } from './read-deposit.ts'
import { saveSenderAccount } from './store.ts'
import { toResult } from './result.ts'
import { takeReversal } from './take-reversal.ts'

/**
 * Takes one deposit that a provider reports, as the operator's `deposits receive` does, once per `depositId` (PROV-80). The
 * owner is looked for among the provider's platforms (PROV-81); a reversal takes it back. Fails: INVALID_INPUT,
 * REFERENCE_NOT_FOUND.
 */
export async function takeDeposit(inbound: Inbound, item: DepositBody): Promise<ItemResult> {
  if (item.state === 'REVERSED') return takeReversal(inbound, item)
  const { deps, provider, inPlatform } = inbound
  const { arrived, fields } = readDeposit(provider, item)
  const { platformIds, environment } = provider
  const ownReferences = referencesIn(item.reference ?? '')
  const payout = await findSettledPayout(deps.db.read, { ownReferences, environment, platformIds })
  // What comes back of a payout is not for the account that it names (PROV-84).
  const owner = payout
    ? undefined
    : await findOwner(deps.db.read, { ...arrived, platformIds, fields })
  const reception = { owner, isUnderReview: item.review === true }
  return inPlatform(owner?.platformId ?? HOUSE_PLATFORM_IDS[environment], (work) =>
    takeInWork(work, { item, arrived, reception, payout }),
  )
}

type Taken = Readonly<{
  item: ArrivedDeposit
  arrived: ProvidedMoney
  reception: Reception
  /** The settled payout whose reference stands on it. */
  payout: Order | undefined
}>

async function takeInWork(work: Work, taken: Taken): Promise<ItemResult> {
  const { item, arrived } = taken
  const { tx, now } = work
  const isPending = item.state === 'PENDING'
  const known = await lockProvided(tx, arrived.source)
  if (known) return takeAgain(work, taken, known)
  const status = isPending ? 'PENDING' : 'UNATTRIBUTED'
  if (!(await insertDeposit(tx, arrived, { status, at: now }))) {
    const twin = await lockProvided(tx, arrived.source)
    if (twin) return takeAgain(work, taken, twin)
    const elsewhere = await takenOnChain(work, item, arrived)
    invariant(elsewhere, 'What is not under its own id is there as a transaction of a chain.')
    return elsewhere
  }
  saveSenderAccount(work, arrived, item)
  if (isPending) return { result: 'APPLIED', depositStatus: 'PENDING' }
  return place(work, taken)
}

async function place(work: Work, { arrived, reception, payout }: Taken): Promise<ItemResult> {
  const placed = toResult(await placeDeposit(work, arrived, reception))
  if (!payout) return placed
  const { platformId, id: orderId, ownReference } = payout
  const { providerId, depositId } = arrived.source
  const { amount, currency } = arrived.money
  const exceptionId = openException(
    { ...work, platform: { id: platformId } },
    {
      type: 'UNREPORTED_RETURN',
      providerId,
      orderId,
      subject: formatId('transaction', arrived.id),
      details: { depositId, reference: ownReference, amount: amountToWire(amount), currency },
    },
  )
  return { ...placed, exceptionId: formatId('exception', exceptionId) }
}

/** The same id once more: a repetition, the final word on what was pending, or a contradiction (PROV-80). */
async function takeAgain(work: Work, taken: Taken, known: Deposit): Promise<ItemResult> {
  const { item, arrived } = taken
  if (known.source?.digest.equals(arrived.source.digest)) return { result: 'DUPLICATE' }
  const isFinal = item.state === 'RECEIVED' && known.status === 'PENDING'
  const isLate = item.state === 'PENDING'
  if (!isSameMoney(known, arrived) || (!isFinal && !isLate)) return openChanged(work, known, item)
  if (isLate) return { result: 'DUPLICATE' }
  const final = { ...arrived, id: known.id }
  const elsewhere = await takenOnChain(work, item, final)
  if (elsewhere?.result === 'EXCEPTION') return elsewhere
  saveFinal(work.tx, final)
  if (elsewhere) {
    saved(work, { ...known, status: advance(machine, known.status, 'drop') })
    return elsewhere
  }
  saveSenderAccount(work, final, item)
  return place(work, { ...taken, arrived: final })
}

/** A transaction of a chain is taken once over all providers (PROV-87); of another amount, an operator looks at it. */
async function takenOnChain(
  work: Work,
  item: ArrivedDeposit,
  arrived: ProvidedMoney,
): Promise<ItemResult | undefined> {
  const holder = await findOnChain(work.tx, arrived)
  if (!holder) return undefined
  return isSameAmount(holder, arrived) ? { result: 'DUPLICATE' } : openChanged(work, holder, item)
}

const isSameAmount = ({ money: known }: Deposit, { money }: ProvidedMoney): boolean =>
  known.amount === money.amount && known.currency === money.currency

const isSameMoney = (known: Deposit, arrived: ProvidedMoney): boolean =>
  isSameAmount(known, arrived) &&
  known.paidTo === arrived.paidTo &&
  known.report.rail === arrived.report.rail
