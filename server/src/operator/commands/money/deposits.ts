import { findCurrency } from '../../../kernel/money/currency.ts'
import { failNotFound, formatId, mustParseId, newId, type Id } from '../../../kernel/ids.ts'
import { AMOUNT_MAX, type Money } from '../../../kernel/money/money.ts'
import { HOUSE_PLATFORM_IDS } from '../../../kernel/platform.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  attributeDeposit,
  findDeposit,
  findOwner,
  receiveDeposit,
  releaseDeposit,
  requestReturn,
  type Deposit,
} from '../../../features/deposits/index.ts'
import { hasBlock } from '../../../features/screening/index.ts'
import { mustHaveNote } from '../../../features/verifications/index.ts'
import { isArrivalRail } from '../../../features/transactions/index.ts'
import { defineCommand, onlyArg, UsageError, type Input } from '../../command.ts'
import { inAnyPlatform, inPlatform } from '../../in-platform.ts'
import { environmentOf } from '../environment.ts'
import {
  DepositSchema,
  depositToShown as toShown,
  listDeposits,
  mustFindDeposit as mustFind,
  ownerOf,
  showDeposit,
} from '../lists/list-deposits.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

/** Undoing a BLOCK of a screening needs a note (PROV-107). Fails: INVALID_INPUT. */
async function mustHaveNoteAfterBlock(
  work: Work,
  id: Id<'transaction'>,
  input: Input,
): Promise<void> {
  const isBlocked = await hasBlock(work, formatId('transaction', id))
  if (isBlocked) mustHaveNote(input.option('note'))
}

const NOTE = {
  note: { about: 'Kept with the audit entry; required after a BLOCK.', value: 'TEXT' },
}

function moneyOf(input: Input): Money {
  const currency = input.option('currency') ?? ''
  if (!findCurrency(currency)) throw new UsageError('--currency is the code of a known currency.')
  const text = input.option('amount') ?? ''
  const amount = /^[1-9]\d{0,15}$/.test(text) ? BigInt(text) : 0n
  if (amount === 0n || amount > AMOUNT_MAX) {
    throw new UsageError("--amount is a whole number in the currency's smallest unit.")
  }
  return { amount, currency }
}

function arrivalRailOf(input: Input, { currency }: Money): string {
  const rail = input.option('rail') ?? ''
  if (!isArrivalRail(currency, rail)) {
    throw new UsageError(`--rail is one that ${currency} comes over: ACH, SEPA, SOLANA, …`)
  }
  return rail
}

const receive = defineCommand({
  name: 'deposits receive',
  access: {
    roles: ['TREASURER'],
    fourEyes: 'threshold',
    amountOf: async (_, input) => moneyOf(input),
    writes: true,
  },
  about:
    'Money came in over a bank or a chain. It goes to whom its number, address or reference names; else it waits.',
  options: {
    amount: { about: "In the currency's smallest unit.", value: 'N', required: true },
    currency: { about: 'What came.', value: 'CODE', required: true },
    rail: { about: 'The payment rail or network it came over.', value: 'RAIL', required: true },
    trace: {
      about: 'What the bank or chain calls the movement; the same one is refused again.',
      value: 'TEXT',
      required: true,
    },
    to: { about: 'The account number or address it was sent to.', value: 'TEXT' },
    reference: { about: 'What the sender wrote on it.', value: 'TEXT' },
    sender: { about: 'Who sent it.', value: 'NAME' },
    environment: { about: 'PRODUCTION (default) or SANDBOX.', value: 'NAME' },
    review: { about: 'Hold it until it is released or returned.', flag: true },
  },
  takesMany: true,
  answers: DepositSchema,
  async run(deps, input) {
    const money = moneyOf(input)
    const arrived = {
      id: newId('transaction'),
      environment: environmentOf(input),
      money,
      paidTo: input.option('to') ?? null,
      source: null,
      report: {
        rail: arrivalRailOf(input, money),
        trace: input.option('trace') ?? '',
        sender: input.option('sender') ?? null,
        reference: input.option('reference') ?? null,
      },
    }
    const owner = await findOwner(deps.db.read, arrived)
    const id = owner?.platformId ?? HOUSE_PLATFORM_IDS[arrived.environment]
    const resource = formatId('transaction', arrived.id)
    const reception = { owner, isUnderReview: input.flag('review') }
    return inAnyPlatform(deps, { id, action: 'deposits receive', resource }, async (work) =>
      toShown(await receiveDeposit(work, arrived, reception)),
    )
  },
})

async function moneyOfDeposit({ db }: Deps, input: Input): Promise<Money> {
  const id = mustParseId('transaction', onlyArg(input, 'depositId'))
  return ((await findDeposit(db.read, id)) ?? failNotFound('transaction')).money
}

const attribute = defineCommand({
  name: 'deposits attribute',
  access: { roles: ['TREASURER'], fourEyes: 'always', amountOf: moneyOfDeposit, writes: true },
  about: 'A deposit that was nobody’s belongs to an internal account, which is credited.',
  takes: ['depositId'],
  options: {
    to: { about: 'The internal account.', value: 'INTERNAL_ACCOUNT_ID', required: true },
    ...NOTE,
  },
  answers: DepositSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'depositId')
    const id = mustParseId('transaction', resource)
    const accountId = mustParseId('internalAccount', input.option('to') ?? '')
    const owner =
      (await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, accountId))) ??
      failNotFound('internalAccount')
    await mustFind(deps, id)
    const platformId = formatId('platform', owner)
    const note = () => input.option('note')
    const entry = { platformId, action: 'deposits attribute', resource, note }
    return inPlatform(deps, entry, async (work) => {
      await mustHaveNoteAfterBlock(work, id, input)
      return toShown(await attributeDeposit(work, { id, accountId }))
    })
  },
})

type Change = (work: Work, id: Id<'transaction'>) => Promise<Deposit>

/** Runs in the platform of the deposit, or in the house where the deposit is unallocated. */
async function onDeposit(
  deps: Deps,
  input: Input,
  { action, change }: Readonly<{ action: string; change: Change }>,
) {
  const resource = onlyArg(input, 'depositId')
  const id = mustParseId('transaction', resource)
  const found = await mustFind(deps, id)
  const note = () => input.option('note')
  return inAnyPlatform(deps, { id: ownerOf(found), action, resource, note }, async (work) =>
    toShown(await change(work, id)),
  )
}

const release = defineCommand({
  name: 'deposits release',
  access: { roles: ['REVIEWER'], fourEyes: 'threshold', amountOf: moneyOfDeposit, writes: true },
  about: 'A deposit that was held for review may be spent.',
  takes: ['depositId'],
  options: NOTE,
  answers: DepositSchema,
  run: (deps, input) =>
    onDeposit(deps, input, {
      action: 'deposits release',
      change: async (work, id) => {
        await mustHaveNoteAfterBlock(work, id, input)
        return releaseDeposit(work, id)
      },
    }),
})

const sendBack = defineCommand({
  name: 'deposits return',
  access: { roles: ['TREASURER'], fourEyes: 'always', amountOf: moneyOfDeposit, writes: true },
  about:
    'A deposit was sent back: nobody’s, one that was held, one that came too late for its quote.',
  takes: ['depositId'],
  answers: DepositSchema,
  run: (deps, input) =>
    onDeposit(deps, input, { action: 'deposits return', change: requestReturn }),
})

export const depositCommands = {
  receive,
  list: listDeposits,
  show: showDeposit,
  attribute,
  release,
  return: sendBack,
}
