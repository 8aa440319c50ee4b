import { Type } from '../../../infra/http/schema/type.ts'
import { idField, MoneySchema, timestamp } from '../../../infra/http/schema/wire-schema.ts'
/** Balances of customers who cannot use them any more: which there are, and their way back to the platform. */
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { amountToWire, moneyToText, moneyToWire } from '../../../kernel/money/wire-money.ts'
import {
  findAccount,
  listReturnable,
  returnBalance,
  type ReturnedBalance,
} from '../../../features/internal-accounts/index.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inPlatform } from '../../in-platform.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

const ReturnableSchema = record({
  accountId: idField('internalAccount'),
  platformId: idField('platform'),
  customerId: idField('customer'),
  cause: Type.String(),
  balance: MoneySchema,
  since: timestamp(),
})

const ReturnedSchema = record({
  accountId: idField('internalAccount'),
  platformAccountId: idField('internalAccount'),
  amount: Type.Integer(),
  currency: Type.String(),
  reference: Type.String(),
  journalEntryId: Type.String(),
})

const REASON_LENGTH_MAX = 1_000
const REFERENCE_LENGTH_MAX = 140

const returnable = defineCommand({
  name: 'accounts returnable',
  access: { roles: ['VIEWER'] },
  about: 'Balances of rejected or deleted customers that only the operator can move, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(ReturnableSchema),
  async run(deps, input) {
    const found = await listReturnable(deps.db.read, waitingPage(deps, input, 'internalAccount'))
    return found.map(({ available: amount, currency, ...row }) => ({
      accountId: formatId('internalAccount', row.accountId),
      platformId: formatId('platform', row.platformId),
      customerId: formatId('customer', row.customerId),
      cause: row.cause,
      balance: moneyToWire({ amount, currency }),
      since: toWireTime(row.since),
    }))
  },
})

function textWithin(input: Input, name: string, lengthMax: number): string | undefined {
  const text = input.option(name)
  if (text === undefined) return undefined
  const { length } = [...text]
  if (text.trim() === '' || length > lengthMax) {
    throw new UsageError(`--${name} is a text of 1 to ${lengthMax} characters.`)
  }
  return text
}

/** The whole available balance. */
async function balanceOf({ db }: Deps, input: Input): Promise<Money> {
  const id = mustParseId('internalAccount', onlyArg(input, 'internalAccountId'))
  const owner = await findPlatformOfInternalAccount(db.read, id)
  const account = owner && (await findAccount(db.read, owner, id))
  const { available: amount, currency } = account ?? failNotFound('internalAccount')
  return { amount, currency }
}

const returnCommand = defineCommand({
  name: 'accounts return',
  access: {
    roles: ['TREASURER'],
    fourEyes: 'always',
    amountOf: balanceOf,
    actsOn: balanceOf,
    writes: true,
  },
  about:
    'Move the whole balance of a rejected or deleted customer’s account to the platform’s own account.',
  takes: ['internalAccountId'],
  options: {
    reason: { about: 'Why; kept with the movement.', value: 'TEXT', required: true },
    reference: {
      about: 'What to find it by; unique for the platform. Made where none is given.',
      value: 'TEXT',
    },
  },
  answers: ReturnedSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'internalAccountId')
    const id = mustParseId('internalAccount', resource)
    const reason = textWithin(input, 'reason', REASON_LENGTH_MAX) ?? ''
    const reference = textWithin(input, 'reference', REFERENCE_LENGTH_MAX)
    const owner = await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, id))
    const platformId = formatId('platform', owner ?? failNotFound('internalAccount'))
    const returned = await inPlatform(
      deps,
      {
        platformId,
        action: 'accounts return',
        resource,
        note: (done: ReturnedBalance) => `${moneyToText(done.money)}, ${done.reference}: ${reason}`,
      },
      (work) => returnBalance(work, { id, reason, reference }),
    )
    return {
      accountId: resource,
      platformAccountId: formatId('internalAccount', returned.platformAccountId),
      amount: amountToWire(returned.money.amount),
      currency: returned.money.currency,
      reference: returned.reference,
      journalEntryId: returned.journalId,
    }
  },
})

export const balanceReturnCommands = { returnable, return: returnCommand }
