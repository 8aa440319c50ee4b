import { idField } from '../../../infra/http/schema/wire-schema.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import {
  CardSchema,
  cardToWire,
  findPlatformOfCard,
  mustFindCard,
  updateCard,
} from '../../../features/cards/index.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { defineCommand, onlyArg, record, type CommandHead, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { listCards } from '../lists/list-cards.ts'

type Place = Readonly<{ id: Id<'card'>; resource: string; owner: Id<'platform'> }>

async function placeOf(deps: Deps, input: Input): Promise<Place> {
  const resource = onlyArg(input, 'cardId')
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
  async run(deps, input) {
    const { id, owner } = await placeOf(deps, input)
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
    async run(deps, input) {
      const { id, resource, owner } = await placeOf(deps, input)
      const platformId = formatId('platform', owner)
      const note = () => input.option('note')
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

export const cardRecordCommands = { list: listCards, show, freeze, unfreeze }
