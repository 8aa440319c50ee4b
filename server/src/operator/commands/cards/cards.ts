import { Type } from '../../../infra/http/schema/type.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import {
  CARD_STATES,
  CardSchema,
  cardToWire,
  findPlatformOfCard,
  mustFindCard,
  updateCard,
} from '../../../features/cards/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyWord, record, type CommandHead, type Given } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { newestOptions, newestPage } from '../../queries/newest-page.ts'
import { listNewestCards, type CardLine } from '../../queries/newest-store.ts'
import { nameParties, type Parties } from '../../queries/parties/party-names.ts'

const cardholderOf = ({ platformId, customerId }: CardLine): Parties => ({
  platformId,
  payer: { id: formatId('customer', customerId) },
  payee: {},
})

const list = defineCommand({
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
  async run(deps, given) {
    const page = newestPage(deps, given, { kind: 'card', statuses: CARD_STATES })
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

type Place = Readonly<{ id: Id<'card'>; resource: string; owner: Id<'platform'> }>

async function placeOf(deps: Deps, given: Given): Promise<Place> {
  const resource = onlyWord(given, 'cardId')
  const id = mustParseId('card', resource)
  const owner = await visibleOwner(deps, findPlatformOfCard(deps.db.read, id))
  return { id, resource, owner: owner ?? failNotFound('card') }
}

const show = defineCommand({
  name: 'cards show',
  access: { roles: ['VIEWER'] },
  about: 'One card as the API shows it.',
  takes: ['cardId'],
  answers: record({ platformId: idField('platform'), card: CardSchema }),
  async run(deps, given) {
    const { id, owner } = await placeOf(deps, given)
    const card = await readInPlatform(deps, owner, (work) => mustFindCard(work, id))
    return { platformId: formatId('platform', owner), card: cardToWire(card) }
  },
})

type Head = Pick<CommandHead, 'name' | 'access' | 'about'>

const moving = (head: Head, state: 'ACTIVE' | 'FROZEN') =>
  defineCommand({
    ...head,
    takes: ['cardId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    answers: CardSchema,
    async run(deps, given) {
      const { id, resource, owner } = await placeOf(deps, given)
      const platformId = formatId('platform', owner)
      const note = () => given.text('note')
      return inPlatform(deps, { platformId, action: head.name, resource, note }, move(id, state))
    },
  })

const move = (id: Id<'card'>, state: 'ACTIVE' | 'FROZEN') => async (work: Work) =>
  cardToWire(await updateCard(work, id, { state }))

const freeze = moving(
  {
    name: 'cards freeze',
    access: { roles: ['REVIEWER'], writes: true },
    about: 'Stop a card: every authorization is declined until it is unfrozen.',
  },
  'FROZEN',
)

const unfreeze = moving(
  {
    name: 'cards unfreeze',
    access: { roles: ['REVIEWER'], fourEyes: 'always', writes: true },
    about: 'Let a frozen card pay again.',
  },
  'ACTIVE',
)

export const cardRecordCommands = { list, show, freeze, unfreeze }
