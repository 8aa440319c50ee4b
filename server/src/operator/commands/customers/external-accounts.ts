import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId, type Id } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import { displayName, findCustomer } from '../../../features/customers/index.ts'
import {
  accountToEvent,
  accountToWire,
  decideOwnership,
  findOpenChallenge,
  findPlatformOfAccount,
  livenessState,
  lockExternalAccount,
  mustFindExternalAccount,
  SETTABLE_STATUSES,
  setAccountStatus,
  type ExternalAccount,
  ExternalAccountSchema,
} from '../../../features/external-accounts/index.ts'
import { hasBlock } from '../../../features/screening/index.ts'
import { listScreenings } from '../../../features/screening/lists.ts'
import { mustHaveNote } from '../../../features/verifications/index.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inPlatform, readInPlatform } from '../../in-platform.ts'
import { listOwnership } from '../lists/list-ownership.ts'
import { visibleOwner } from '../../access/visible-platforms.ts'
import { versionOf } from '../../proposals/resource-store.ts'

const ShownSchema = record({
  platformId: idField('platform'),
  environment: environmentSchema(),
  customerName: Type.Optional(Type.String()),
  account: ExternalAccountSchema,
  proof: Type.Optional(
    record({
      method: Type.String(),
      state: Type.Optional(Type.String()),
      expiresAt: timestamp(),
      submittedAt: Type.Optional(timestamp()),
    }),
  ),
})

type Change = (work: Work, id: Id<'externalAccount'>) => Promise<ExternalAccount>

/** Changes an account that is named without its platform, and shows it as the API would. */
async function change(
  deps: Deps,
  { action, resource, note }: { action: string; resource: string; note?: string | undefined },
  body: Change,
) {
  const id = mustParseId('externalAccount', resource)
  const owner = await visibleOwner(deps, findPlatformOfAccount(deps.db.read, id))
  const platformId = formatId('platform', owner ?? failNotFound('externalAccount'))
  const entry = { platformId, action, resource, note: () => note }
  const account = await inPlatform(deps, entry, (work) => body(work, id))
  return accountToWire(account)
}

/** Undoing a BLOCK of a screening needs a second operator (PROV-107). */
async function fourEyesFor(deps: Deps, { args: [resource = '', status] }: Input) {
  if (status !== 'ACTIVE') return undefined
  const id = mustParseId('externalAccount', resource)
  const owner = await visibleOwner(deps, findPlatformOfAccount(deps.db.read, id))
  return readInPlatform(deps, owner ?? failNotFound('externalAccount'), async (work) => {
    await lockExternalAccount(work, id)
    return (await hasBlock(work, resource)) ? ('always' as const) : undefined
  })
}

/** The account and the results of its screenings; a repeated match of the same list is no change (OPER-23). */
async function actsOn({ db, keyring }: Deps, { args: [resource = ''] }: Input): Promise<unknown> {
  const id = mustParseId('externalAccount', resource)
  const versions = await versionOf(db.read, { kind: 'externalAccount', id })
  const found = (await listScreenings({ tx: db.read, keyring }, [resource])).flatMap(
    ({ verdict, matches }) => [
      verdict,
      ...matches.map(({ list, entryId }) => `${verdict} ${list} ${entryId}`),
    ],
  )
  return [versions, [...new Set(found)].toSorted()]
}

const setStatus = defineCommand({
  name: 'external-accounts set-status',
  access: { roles: ['REVIEWER'], fourEyesFor, actsOn, writes: true },
  about: `Set the status of an external account: ${SETTABLE_STATUSES.join(', ')}.`,
  takes: ['externalAccountId', 'status'],
  options: {
    note: {
      about: 'Kept with the audit entry; required to undo a block by a provider.',
      value: 'TEXT',
    },
  },
  answers: ExternalAccountSchema,
  run(deps, input) {
    const [resource = '', wanted] = input.args
    const status = SETTABLE_STATUSES.find((one) => one === wanted)
    if (!status) throw new UsageError(`The status is one of ${SETTABLE_STATUSES.join(', ')}.`)
    const action = 'external-accounts set-status'
    const note = input.option('note')
    return change(deps, { action, resource, note }, async (work, id) => {
      const isUndoing = status !== 'INACTIVE' && (await hasBlock(work, resource))
      if (isUndoing) mustHaveNote(note)
      return setAccountStatus(work, { id, status })
    })
  },
})

const showOwnership = defineCommand({
  name: 'ownership show',
  access: { roles: ['VIEWER'] },
  about: 'A wallet, whose it is said to be, and how its proof stands.',
  takes: ['externalAccountId'],
  answers: ShownSchema,
  async run(deps, input) {
    const id = mustParseId('externalAccount', onlyArg(input, 'externalAccountId'))
    const owner = await visibleOwner(deps, findPlatformOfAccount(deps.db.read, id))
    return readInPlatform(deps, owner ?? failNotFound('externalAccount'), async (work) => {
      const account = await mustFindExternalAccount(work, id)
      const customer = account.customerId && (await findCustomer(work, account.customerId))
      const check = await findOpenChallenge(work.tx, work.platform.id, id)
      return {
        platformId: formatId('platform', work.platform.id),
        environment: work.platform.environment,
        ...(customer && { customerName: displayName(customer) }),
        account: accountToEvent(account),
        ...(check && {
          proof: {
            method: check.method,
            ...(check.method === 'LIVENESS' && { state: livenessState(check, work.now) }),
            expiresAt: toWireTime(check.expiresAt),
            ...(check.submittedAt && { submittedAt: toWireTime(check.submittedAt) }),
          },
        }),
      }
    })
  },
})

const decision = (verb: 'approve' | 'reject', about: string) =>
  defineCommand({
    answers: ExternalAccountSchema,
    name: `ownership ${verb}`,
    access: { roles: ['REVIEWER'], writes: true },
    about,
    takes: ['externalAccountId'],
    run: (deps, input) =>
      change(
        deps,
        { action: `ownership ${verb}`, resource: onlyArg(input, 'externalAccountId') },
        (work, id) => decideOwnership(work, { id, isApproved: verb === 'approve' }),
      ),
  })

export const externalAccountCommands = {
  setStatus,
  ownershipList: listOwnership,
  ownershipShow: showOwnership,
  ownershipApprove: decision('approve', 'Confirm that a wallet is its holder’s.'),
  ownershipReject: decision('reject', 'Refuse a liveness check; the account becomes UNVERIFIED.'),
}
