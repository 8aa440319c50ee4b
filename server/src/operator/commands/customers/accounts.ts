import { Type } from '../../../infra/http/schema/type.ts'
import { timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Work } from '../../../infra/work/work.ts'
import type { Deps } from '../../../infra/deps.ts'
import {
  markProvisioningFailed,
  findAccount,
  findReturnable,
  freezeAccount,
  provisionAccount,
  unfreezeAccount,
  type ProvisionedInfo,
  InternalAccountSchema,
  PaymentInstructionsSchema,
  type WireInternalAccount,
} from '../../../features/internal-accounts/index.ts'
import { mustHaveNote, wasBlocked } from '../../../features/verifications/index.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type Input,
  type CommandHead,
} from '../../command.ts'
import { inPlatform } from '../../in-platform.ts'
import { findPlatformOfInternalAccount } from '../../queries/operator-store.ts'
import { line, listAccounts, mustFindAccount, shownAccount } from '../lists/list-accounts.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'

const ShownSchema = record({
  ...line,
  returnable: Type.Optional(record({ cause: Type.String(), since: timestamp() })),
  fundingPaymentInstructions: Type.Array(PaymentInstructionsSchema),
})

type Change = (
  work: Work,
  id: Id<'internalAccount'>,
  note: string | undefined,
) => Promise<WireInternalAccount>

async function onAccount(
  deps: Deps,
  input: Input,
  { action, change }: Readonly<{ action: string; change: Change }>,
) {
  const resource = onlyArg(input, 'internalAccountId')
  const id = mustParseId('internalAccount', resource)
  const owner = await visibleOwner(deps, findPlatformOfInternalAccount(deps.db.read, id))
  const platformId = formatId('platform', owner ?? failNotFound('internalAccount'))
  const note = input.option('note')
  return inPlatform(deps, { platformId, action, resource, note: () => note }, (work) =>
    change(work, id, note),
  )
}

const command = (head: Pick<CommandHead, 'name' | 'access' | 'about'>, change: Change) =>
  defineCommand({
    ...head,
    takes: ['internalAccountId'],
    options: { note: { about: 'Kept with the audit entry.', value: 'TEXT' } },
    answers: InternalAccountSchema,
    run: (deps, input) => onAccount(deps, input, { action: head.name, change }),
  })

/** What a block did is undone with a note only (PROV-107). */
const unfreeze: Change = async (work, id, note) => {
  const account = await findAccount(work.tx, work.platform.id, id)
  const customerId = account?.customerId
  if (customerId && (await wasBlocked(work, customerId))) mustHaveNote(note)
  return unfreezeAccount(work, id)
}

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

const provision = defineCommand({
  name: 'accounts provision',
  access: { roles: ['TREASURER'], fourEyes: 'always', writes: true },
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
  answers: InternalAccountSchema,
  run(deps, input) {
    const action = 'accounts provision'
    const infos = input.options('instruction').map(infoOf)
    if (input.flag('failed') !== (infos.length === 0)) {
      throw new UsageError('Give --instruction at least once, or --failed.')
    }
    const change: Change = (work, id) =>
      infos.length === 0 ? markProvisioningFailed(work, id) : provisionAccount(work, id, infos)
    return onAccount(deps, input, { action, change })
  },
})

const show = defineCommand({
  name: 'accounts show',
  access: { roles: ['VIEWER'] },
  about:
    'One internal account: its balances, why only the operator can move them, and how it is paid into.',
  takes: ['internalAccountId'],
  answers: ShownSchema,
  async run(deps, input) {
    const { account, platformId } = await mustFindAccount(deps, onlyArg(input, 'internalAccountId'))
    const returnable = await findReturnable(deps.db.read, platformId, account.id)
    const fundingPaymentInstructions = account.fundingInstructions
    return {
      ...shownAccount(account, platformId),
      ...(returnable && {
        returnable: { cause: returnable.cause, since: toWireTime(returnable.since) },
      }),
      fundingPaymentInstructions,
    }
  },
})

export const accountCommands = {
  list: listAccounts,
  show,
  freeze: command(
    {
      name: 'accounts freeze',
      access: { roles: ['REVIEWER', 'TREASURER'], writes: true },
      about: 'Stop an internal account: nothing new moves in or out.',
    },
    freezeAccount,
  ),
  unfreeze: command(
    {
      name: 'accounts unfreeze',
      access: { roles: ['REVIEWER'], fourEyes: 'always', writes: true },
      about: 'Let a frozen internal account move again; after a block by a provider with a note.',
    },
    unfreeze,
  ),
  provision,
}
