import { failNotFound, formatId, mustParseId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work.ts'
import type { Deps } from '../../infra/deps.ts'
import {
  failProvisioning,
  freezeAccount,
  provisionAccount,
  unfreezeAccount,
  type ProvisionedInfo,
} from '../../features/internal-accounts/index.ts'
import { onlyWord, UsageError, type Command, type Given } from '../command.ts'
import { inPlatform } from '../in-platform.ts'
import { findPlatformOfInternalAccount } from '../operator-store.ts'

type Change = (work: Work, id: Id<'internalAccount'>) => Promise<unknown>

async function onAccount(
  deps: Deps,
  given: Given,
  { action, change }: Readonly<{ action: string; change: Change }>,
): Promise<unknown> {
  const resource = onlyWord(given, 'internalAccountId')
  const id = mustParseId('internalAccount', resource)
  const owner = await findPlatformOfInternalAccount(deps.db.read, id)
  const platformId = formatId('platform', owner ?? failNotFound('internalAccount'))
  return inPlatform(deps, { platformId, action, resource }, (work) => change(work, id))
}

const command = (name: string, about: string, change: Change): Command => ({
  name,
  about,
  takes: ['internalAccountId'],
  run: (deps, given) => onAccount(deps, given, { action: name, change }),
})

function infoOf(text: string): ProvisionedInfo {
  let info: unknown
  try {
    info = JSON.parse(text)
  } catch {
    info = undefined
  }
  const isInfo = typeof info === 'object' && info !== null && 'accountType' in info
  if (!isInfo) throw new UsageError('--instruction is a JSON object with an accountType.')
  return info as ProvisionedInfo
}

const provision: Command = {
  name: 'accounts provision',
  about:
    'A bank has opened a pending account of production: it is active from now on. With --failed, it will not be opened.',
  takes: ['internalAccountId'],
  options: {
    instruction: {
      about:
        'Where the account is paid into, as the API shows it (accountOrWalletInfo); may be repeated.',
      value: 'JSON',
      repeatable: true,
    },
    failed: { about: 'The bank does not open it.', flag: true },
  },
  run(deps, given) {
    const action = 'accounts provision'
    const infos = given.texts('instruction').map(infoOf)
    if (given.flag('failed') !== (infos.length === 0)) {
      throw new UsageError('Give --instruction at least once, or --failed.')
    }
    const change: Change = (work, id) =>
      infos.length === 0 ? failProvisioning(work, id) : provisionAccount(work, id, infos)
    return onAccount(deps, given, { action, change })
  },
}

export const accountCommands: readonly Command[] = [
  command(
    'accounts freeze',
    'Stop an internal account: nothing new moves in or out.',
    freezeAccount,
  ),
  command('accounts unfreeze', 'Let a frozen internal account move again.', unfreezeAccount),
  provision,
]
