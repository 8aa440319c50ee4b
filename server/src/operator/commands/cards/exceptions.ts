import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, MoneySchema } from '../../../infra/http/schema/wire-schema.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import { moneyToWire } from '../../../kernel/money/wire-money.ts'
import {
  CardSchema,
  cardToWire,
  cardTransactionToWire,
  closeCard,
  findCardTransaction,
  findPlatformOfCard,
  findPlatformOfCardTransaction,
  mustFindCard,
  retryPull,
} from '../../../features/cards/index.ts'
import { displayName, findCustomer } from '../../../features/customers/index.ts'
import { findAccount } from '../../../features/internal-accounts/index.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Money } from '../../../kernel/money/money.ts'
import { defineCommand, onlyArg, record, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { listExceptions } from '../lists/list-card-exceptions.ts'
import { CardTransactionSchema } from '../../../features/transactions/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

const ShownSchema = record({
  platformId: idField('platform'),
  environment: environmentSchema(),
  customerName: Type.Optional(Type.String()),
  transaction: CardTransactionSchema,
  shortfall: MoneySchema,
  cause: Type.Optional(Type.String()),
  card: CardSchema,
  account: Type.Optional(record({ status: Type.String(), available: MoneySchema })),
})

const close = defineCommand({
  name: 'cards close',
  access: { roles: ['REVIEWER'], writes: true },
  about: 'Close a card for good.',
  takes: ['cardId'],
  answers: CardSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'cardId')
    const id = mustParseId('card', resource)
    const owner =
      (await visibleOwner(deps, findPlatformOfCard(deps.db.read, id))) ?? failNotFound('card')
    const platformId = formatId('platform', owner)
    const action = 'cards close'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      cardToWire(await closeCard(work, id)),
    )
  },
})

/** What the service bore for the card transaction. */
async function shortfallOf({ db }: Deps, input: Input): Promise<Money> {
  const id = mustParseId('cardTransaction', onlyArg(input, 'cardTransactionId'))
  const owner = await findPlatformOfCardTransaction(db.read, id)
  const found = owner && (await findCardTransaction(db.read, owner, id))
  const { shortfall: amount, currency } = found ?? failNotFound('cardTransaction')
  return { amount, currency }
}

const retry = defineCommand({
  name: 'cards retry-pull',
  access: { roles: ['TREASURER'], fourEyes: 'threshold', amountOf: shortfallOf, writes: true },
  about: 'Take from the account what the service bore for a card transaction.',
  takes: ['cardTransactionId'],
  answers: CardTransactionSchema,
  async run(deps, input) {
    const resource = onlyArg(input, 'cardTransactionId')
    const id = mustParseId('cardTransaction', resource)
    const owner = await visibleOwner(deps, findPlatformOfCardTransaction(deps.db.read, id))
    const platformId = formatId('platform', owner ?? failNotFound('cardTransaction'))
    const action = 'cards retry-pull'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      cardTransactionToWire(work.platform.id, await retryPull(work, id)),
    )
  },
})

const exceptionsShow = defineCommand({
  name: 'card-exceptions show',
  access: { roles: ['VIEWER'] },
  about: 'A card transaction, what the service bore of it, its card and its account.',
  takes: ['cardTransactionId'],
  answers: ShownSchema,
  async run(deps, input) {
    const id = mustParseId('cardTransaction', onlyArg(input, 'cardTransactionId'))
    const owner = await visibleOwner(deps, findPlatformOfCardTransaction(deps.db.read, id))
    return readInPlatform(deps, owner ?? failNotFound('cardTransaction'), async (work) => {
      const { tx, platform } = work
      const found = await findCardTransaction(tx, platform.id, id)
      if (!found) return failNotFound('cardTransaction')
      const { shortfall, shortfallCause, currency, accountId, customerId } = found
      const account = await findAccount(tx, platform.id, accountId)
      const customer = await findCustomer(work, customerId)
      return {
        platformId: formatId('platform', platform.id),
        environment: platform.environment,
        ...(customer && { customerName: displayName(customer) }),
        transaction: cardTransactionToWire(platform.id, found),
        shortfall: moneyToWire({ amount: shortfall, currency }),
        ...(shortfallCause && { cause: shortfallCause }),
        card: cardToWire(await mustFindCard(work, found.cardId)),
        ...(account && {
          account: {
            status: account.status,
            available: moneyToWire({ amount: account.available, currency: account.currency }),
          },
        }),
      }
    })
  },
})

export const cardCommands = {
  close,
  retryPull: retry,
  exceptionsList: listExceptions,
  exceptionsShow,
}
