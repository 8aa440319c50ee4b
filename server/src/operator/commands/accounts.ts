import { failNotFound, formatId, mustParseId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import { freezeAccount, unfreezeAccount } from '../../features/internal-accounts/index.ts'
import { onlyWord, type Command } from '../command.ts'
import { inPlatform } from '../in-platform.ts'
import { findPlatformOfInternalAccount } from '../operator-store.ts'

type Change = (work: Work, id: Id<'internalAccount'>) => Promise<unknown>

const command = (name: string, about: string, change: Change): Command => ({
  name,
  about,
  takes: ['internalAccountId'],
  async run(deps, given) {
    const resource = onlyWord(given, 'internalAccountId')
    const id = mustParseId('internalAccount', resource)
    const owner = await findPlatformOfInternalAccount(deps.db.read, id)
    const platformId = formatId('platform', owner ?? failNotFound('internalAccount'))
    return inPlatform(deps, { platformId, action: name, resource }, (work) => change(work, id))
  },
})

export const accountCommands: readonly Command[] = [
  command(
    'accounts freeze',
    'Stop an internal account: nothing new moves in or out.',
    freezeAccount,
  ),
  command('accounts unfreeze', 'Let a frozen internal account move again.', unfreezeAccount),
]
