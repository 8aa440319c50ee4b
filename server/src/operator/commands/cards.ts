import { failNotFound, formatId, mustParseId } from '../../kernel/ids.ts'
import {
  cardToWire,
  cardTransactionToWire,
  closeCard,
  findPlatformOfCard,
  findPlatformOfCardTransaction,
  retryPull,
} from '../../features/cards/index.ts'
import { onlyWord, type Command } from '../command.ts'
import { inPlatform } from '../in-platform.ts'

const close: Command = {
  name: 'cards close',
  about: 'Close a card for good.',
  takes: ['cardId'],
  async run(deps, given) {
    const resource = onlyWord(given, 'cardId')
    const id = mustParseId('card', resource)
    const owner = (await findPlatformOfCard(deps.db.read, id)) ?? failNotFound('card')
    const platformId = formatId('platform', owner)
    const action = 'cards close'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      cardToWire(await closeCard(work, id)),
    )
  },
}

const retry: Command = {
  name: 'cards retry-pull',
  about: 'Take from the account what the service bore for a card transaction.',
  takes: ['cardTransactionId'],
  async run(deps, given) {
    const resource = onlyWord(given, 'cardTransactionId')
    const id = mustParseId('cardTransaction', resource)
    const owner = await findPlatformOfCardTransaction(deps.db.read, id)
    const platformId = formatId('platform', owner ?? failNotFound('cardTransaction'))
    const action = 'cards retry-pull'
    return inPlatform(deps, { platformId, action, resource }, async (work) =>
      cardTransactionToWire(work.platform.id, await retryPull(work, id)),
    )
  },
}

export const cardCommands: readonly Command[] = [close, retry]
