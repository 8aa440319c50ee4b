import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { amountToWire } from '../../../kernel/money/wire-money.ts'
import { listCardExceptions } from '../../../features/cards/lists.ts'
import { defineCommand, record } from '../../command.ts'
import { WAITING_OPTIONS, waitingPage } from '../../queries/waiting-page.ts'

const ExceptionSchema = record({
  cardTransactionId: idField('cardTransaction'),
  platformId: idField('platform'),
  cardId: idField('card'),
  customerId: idField('customer'),
  customerName: Type.Optional(Type.String()),
  merchant: Type.String(),
  last4: Type.Optional(Type.String()),
  cardState: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  cause: Type.String(),
  createdAt: timestamp(),
})

export const listExceptions = defineCommand({
  name: 'card-exceptions list',
  access: { roles: ['VIEWER'] },
  about: 'Card transactions with a part that the service paid, oldest first.',
  options: WAITING_OPTIONS,
  answers: Type.Array(ExceptionSchema),
  async run(deps, input) {
    const found = await listCardExceptions(
      deps.db.read,
      waitingPage(deps, input, 'cardTransaction'),
    )
    return found.map((one) => ({
      cardTransactionId: formatId('cardTransaction', one.id),
      platformId: formatId('platform', one.platformId),
      cardId: formatId('card', one.cardId),
      customerId: formatId('customer', one.customerId),
      ...(one.customerName !== null && { customerName: one.customerName }),
      merchant: one.merchant.descriptor,
      ...(one.last4 !== null && { last4: one.last4 }),
      cardState: one.cardState,
      amount: amountToWire(one.shortfall),
      currency: one.currency,
      cause: one.shortfallCause,
      createdAt: toWireTime(one.createdAt),
    }))
  },
})
