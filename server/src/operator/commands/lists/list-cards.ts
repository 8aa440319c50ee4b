import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { formatId } from '../../../kernel/ids.ts'
import { CARD_STATES } from '../../../features/cards/lists.ts'
import { defineCommand, record } from '../../command.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import { listNewestCards, type CardLine } from '../../queries/newest-store.ts'
import { nameParties, type Parties } from '../../queries/parties/party-names.ts'

const cardholderOf = ({ platformId, customerId }: CardLine): Parties => ({
  platformId,
  payer: { id: formatId('customer', customerId) },
  payee: {},
})

export const listCards = defineCommand({
  name: 'cards list',
  access: { roles: ['VIEWER'] },
  about: 'Cards of one platform or of all, newest first.',
  options: newestOptions(CARD_STATES),
  answers: Type.Array(
    record({
      cardId: idField('card'),
      platformId: idField('platform'),
      customerId: idField('customer'),
      cardholder: Type.Optional(Type.String()),
      state: Type.String(),
      brand: Type.Optional(Type.String()),
      last4: Type.Optional(Type.String()),
      currency: Type.String(),
      createdAt: timestamp(),
    }),
  ),
  async run(deps, input) {
    const page = newestPage(deps, input, { kind: 'card', statuses: CARD_STATES })
    const found = await listNewestCards(deps.db.read, page)
    const names = await nameParties(deps.db.read, found.map(cardholderOf))
    return found.map((card, index) => ({
      cardId: formatId('card', card.id),
      platformId: formatId('platform', card.platformId),
      customerId: formatId('customer', card.customerId),
      ...(names[index]?.payer !== undefined && { cardholder: names[index].payer }),
      state: card.state,
      ...(card.brand !== null && { brand: card.brand }),
      ...(card.last4 !== null && { last4: card.last4 }),
      currency: card.currency,
      createdAt: toWireTime(card.createdAt),
    }))
  },
})
