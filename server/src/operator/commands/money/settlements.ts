import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import {
  OUTGOING_FAILURE_REASONS,
  type OutgoingFailureReason,
} from '../../../kernel/failure-reasons.ts'
import { formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { displayName, findCustomer } from '../../../features/customers/index.ts'
import {
  accountToEvent,
  accountToWire,
  findExternalAccount,
} from '../../../features/external-accounts/index.ts'
import {
  confirmSettlement,
  markSettlementFailed,
  lockAtLeg,
  lockNextMovement,
  mayBeReturned,
  nextManualLeg,
  refundMoneyOf,
  retryFailedRefund,
  type NextMovement,
} from '../../../features/settlements/index.ts'
import {
  accountIdOfSide,
  findTransaction,
  listLegReferences,
  networkOfPayout,
  SETTLED_LEGS,
  transactionToWire,
  type LegReference,
  type OutsideNames,
  type Transaction,
} from '../../../features/transactions/index.ts'
import { settleUmaPayout } from '../../../features/uma/index.ts'
import { choiceOf, defineCommand, onlyArg, type Access, type Input } from '../../command.ts'
import { listRefunds, listSettlements } from '../lists/list-settlements.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { SettlementSchema, ShownSchema } from './settlement-answers.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { findPlatformOfTransaction } from '../../queries/operator-store.ts'

const toShown = ({ id, status, failureReason, refund }: Transaction) => ({
  transactionId: formatId('transaction', id),
  status,
  ...(failureReason && { failureReason }),
  ...(refund && { refundStatus: refund.status }),
})

/** Runs a use-case on the transaction that a command names, in the platform it belongs to. */
async function onTransaction(
  deps: Deps,
  input: Input,
  {
    action,
    note,
    body,
  }: Readonly<{
    action: string
    note?: string | undefined
    body: (work: Work, id: Id<'transaction'>) => Promise<Transaction>
  }>,
) {
  const resource = onlyArg(input, 'transactionId')
  const id = mustParseId('transaction', resource)
  const owner =
    (await visibleOwner(deps, findPlatformOfTransaction(deps.db.read, id))) ??
    fail('TRANSACTION_NOT_FOUND')
  const platformId = formatId('platform', owner)
  return inPlatform(deps, { platformId, action, resource, note: () => note }, async (work) =>
    toShown(await body(work, id)),
  )
}

async function movementOf(deps: Deps, input: Input): Promise<NextMovement> {
  const id = mustParseId('transaction', onlyArg(input, 'transactionId'))
  const owner = await findPlatformOfTransaction(deps.db.read, id)
  return readInPlatform(deps, owner ?? fail('TRANSACTION_NOT_FOUND'), (work) =>
    lockNextMovement(work, id),
  )
}

/** A second operator agrees to this leg, with this amount, in this state of the payment (OPER-23). */
const MOVES_MONEY: Access = {
  roles: ['TREASURER'],
  fourEyes: 'threshold',
  amountOf: async (deps, input) => (await movementOf(deps, input)).money,
  actsOn: movementOf,
  writes: true,
}

const refundsRetry = defineCommand({
  name: 'refunds retry',
  access: MOVES_MONEY,
  about: 'Try a failed refund again; it completes or stays failed.',
  takes: ['transactionId'],
  answers: SettlementSchema,
  run: (deps, input) =>
    onTransaction(deps, input, { action: 'refunds retry', body: retryFailedRefund }),
})

/** An account outside that money is moved from or to, if the side is one. */
async function accountOf(
  work: Work,
  side: Transaction['source'] | Transaction['destination'],
  toShow: typeof accountToWire,
) {
  const id = accountIdOfSide('externalAccount', side)
  const account = id && (await findExternalAccount(work, id))
  return account && toShow(account)
}

const shownLeg = ({ recordedAt, ...settled }: LegReference) => ({
  ...settled,
  recordedAt: toWireTime(recordedAt),
})

const showSettlement = defineCommand({
  name: 'settlements show',
  access: { roles: ['VIEWER'], rolesOfOption: { reveal: ['TREASURER'] } },
  about: 'A payment, what is to be moved next, and the accounts outside from and to which.',
  takes: ['transactionId'],
  options: {
    reveal: { about: 'Show government numbers in full; leaves an audit entry.', flag: true },
  },
  answers: ShownSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'transactionId')
    const id = mustParseId('transaction', resource)
    const owner = await visibleOwner(deps, findPlatformOfTransaction(deps.db.read, id))
    return readInPlatform(deps, owner ?? fail('TRANSACTION_NOT_FOUND'), async (work) => {
      const { tx, platform } = work
      const found = await findTransaction(tx, platform.id, id)
      if (!found || found.type === 'CARD') return fail('TRANSACTION_NOT_FOUND')
      const isRevealed = input.flag('reveal')
      if (isRevealed) audit(work, { action: 'settlements reveal', resource })
      const toShow = isRevealed ? accountToWire : accountToEvent
      const customer = found.customerId && (await findCustomer(work, found.customerId))
      const leg = await nextManualLeg(work, found)
      const network = leg === 'PAYOUT' ? await networkOfPayout(work, found) : undefined
      const settled = await listLegReferences(tx, platform.id, found.id)
      const refunded = found.type === 'OUTGOING' ? await refundMoneyOf(work, found) : undefined
      const [from, to] = [
        await accountOf(work, found.source, toShow),
        await accountOf(work, found.destination, toShow),
      ]
      return {
        platformId: formatId('platform', platform.id),
        environment: platform.environment,
        ...(customer && { customerName: displayName(customer) }),
        ...(leg && { waitsFor: leg }),
        mayBeReturned: await mayBeReturned(work, found),
        ...(network && { network }),
        ...(settled.length > 0 && { settled: settled.map(shownLeg) }),
        ...(refunded && { refundAmount: moneyToWire(refunded) }),
        transaction: transactionToWire(platform.id, found),
        ...(from && { fromAccount: from }),
        ...(to && { toAccount: to }),
      }
    })
  },
})

const LEG = {
  leg: {
    about: `The leg that is meant, of ${SETTLED_LEGS.join(', ')}; refused where it is not the next. Without it the next is meant.`,
    value: 'LEG',
  },
}

/** Runs under the lock of the payment, and compares the leg that the operator names with the current one. */
function settling(
  input: Input,
  body: (work: Work, id: Id<'transaction'>) => Promise<Transaction>,
): (work: Work, id: Id<'transaction'>) => Promise<Transaction> {
  const leg = choiceOf(input, 'leg', SETTLED_LEGS)
  return async (work, id) => {
    if (leg) await lockAtLeg(work, id, leg)
    return body(work, id)
  }
}

const REFERENCE = {
  reference: {
    about: 'What the outside calls it: an end-to-end, trace or UETR id; at most 140 characters.',
    value: 'TEXT',
  },
}

const namesOf = (input: Input): OutsideNames => ({
  reference: input.option('reference'),
  hash: input.option('hash'),
})

/** For the audit entry. */
function noteOf({ reference, hash }: OutsideNames): string | undefined {
  if (hash !== undefined) return `hash ${hash}`
  return reference === undefined ? undefined : `reference ${reference}`
}

const confirm = defineCommand({
  name: 'settlements confirm',
  access: MOVES_MONEY,
  about: 'The money of the next leg was moved: a pull, a payout, a transfer-in, a refund.',
  takes: ['transactionId'],
  options: {
    ...LEG,
    ...REFERENCE,
    hash: {
      about: 'The transaction hash; required of payouts to wallets, and for them alone.',
      value: 'HASH',
    },
  },
  takesMany: true,
  answers: SettlementSchema,
  run: (deps, input) => {
    const names = namesOf(input)
    return onTransaction(deps, input, {
      action: 'settlements confirm',
      note: noteOf(names),
      body: settling(
        input,
        async (work, id) =>
          (await settleUmaPayout(work, id, { outcome: 'CONFIRMED', names })) ??
          confirmSettlement(work, id, names),
      ),
    })
  },
})

const reasonOf = (input: Input): OutgoingFailureReason =>
  choiceOf(input, 'reason', OUTGOING_FAILURE_REASONS) ?? 'QUOTE_EXECUTION_FAILED'

const failed = defineCommand({
  name: 'settlements fail',
  access: MOVES_MONEY,
  about:
    'The next leg did not succeed, or a completed payout came back; what was taken is refunded.',
  takes: ['transactionId'],
  options: {
    reason: { about: 'Why (default QUOTE_EXECUTION_FAILED).', value: 'REASON' },
    ...LEG,
    ...REFERENCE,
  },
  takesMany: true,
  answers: SettlementSchema,
  run: (deps, input) => {
    const reason = reasonOf(input)
    const names = { reference: input.option('reference') }
    return onTransaction(deps, input, {
      action: 'settlements fail',
      note: noteOf(names),
      body: settling(
        input,
        async (work, id) =>
          (await settleUmaPayout(work, id, { outcome: 'FAILED', names })) ??
          markSettlementFailed(work, id, { reason, names }),
      ),
    })
  },
})

export const settlementCommands = {
  refundsList: listRefunds,
  list: listSettlements,
  refundsRetry,
  show: showSettlement,
  confirm,
  fail: failed,
}
